import { providers } from './methods/provider-process';

/**
 * What the text in a state calls, in the process of the engine's dynamic provider. A delete runs the text that an older version of the
 * package stored: this entry point, the two names and the seven methods of each never change.
 */
export const { lease, instance } = providers();
