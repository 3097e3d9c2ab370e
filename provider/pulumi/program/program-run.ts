import { getOrganization, getProject, getStack, runtime } from '@pulumi/pulumi';
import * as settings from '@pulumi/pulumi/runtime/settings';
import { CONFIG_KEYS, type ReadConfig } from '../config';
import { engineLog, type EngineLog } from '../engine-log';
import { marksOfStack, ownerInput } from '../inputs/owner';
import { checkKeys, checkSecrets, readStackConfig } from './stack-config';

/**
 * What a run is, as its program sees it at its beginning. Several programs may run in one process, each in a context of its own, and a hook
 * is called outside of all of them: nothing of this is asked for again.
 */
export interface ProgramRun {
  readonly isDryRun: boolean;
  readonly log: EngineLog;
  readonly readConfig: ReadConfig;
  /** Throws for keys that mean nothing, and for credentials that the stack keeps in clear. */
  readonly checkSecrets: () => void;
  /** The input `owner` of a resource of this stack. */
  readonly ownerOf: (urn: string) => string;
  /** What the marks of all objects of this stack begin with. */
  readonly marks: string;
}

function refusalOf(check: () => void): () => void {
  try {
    check();
    return () => undefined;
  } catch (error) {
    return () => { throw error; };
  }
}

/** The run that this code is called in. */
export function currentRun(): ProgramRun {
  const engine = settings.getEngine();
  const organization = getOrganization();
  const config = new Map(CONFIG_KEYS.map((key) => [key, readStackConfig(key)]));
  return {
    isDryRun: runtime.isDryRun(),
    log: engineLog(() => engine),
    readConfig: (key) => config.get(key),
    checkSecrets: refusalOf(() => {
      checkKeys();
      checkSecrets();
    }),
    ownerOf: (urn) => ownerInput({ organization, urn }),
    marks: marksOfStack(organization, getStack(), getProject()),
  };
}
