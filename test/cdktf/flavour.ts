import type * as Cdktf from 'cdktf';
import type * as Constructs from '../../components/cdktf';

/** The two libraries that the constructs are for. */
export const LIBRARIES = ['cdktf', 'cdktn'] as const;
export type Library = (typeof LIBRARIES)[number];

/** A library, and the constructs that build on it. Both libraries have the types of the first. */
export interface Flavour {
  readonly library: typeof Cdktf;
  readonly macrack: typeof Constructs;
}

/** Loads the sources on one of the two, apart from what else is loaded; `more` loads on the same library. */
export function load<T = undefined>(name: Library, more?: () => T): Flavour & { readonly more: T | undefined } {
  let loaded: (Flavour & { readonly more: T | undefined }) | undefined;
  jest.isolateModules(() => {
    if (name === 'cdktn') jest.doMock('cdktf', () => jest.requireActual<typeof Cdktf>('cdktn'));
    loaded = { library: jest.requireActual<typeof Cdktf>(name), macrack: jest.requireActual<typeof Constructs>('../../components/cdktf'), more: more?.() };
    jest.dontMock('cdktf');
  });
  if (loaded === undefined) throw new Error(`${name} was not loaded`);
  return loaded;
}
