export const DRIVERS = ['tart', 'sim'] as const;
export type DriverName = (typeof DRIVERS)[number];
