export * from './errors';
export * from './control-plane';
export * from './timers';
