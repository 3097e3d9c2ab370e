import { Kinds, type MacClass } from '../../../sdk/api';
import type { Instant } from '../../../sdk/rules/instant';
import type { Context } from '../context';
import type { Controller } from '../engine/converge';
import { statusPatch } from '../engine/status-diff';
import { swapStatus } from '../engine/write';
import { classStatus, nextSilence } from './class-status';

interface ClassFacts { readonly now: Instant; readonly object: MacClass; readonly patch: object | null; readonly silence: Instant | undefined }

/** Reconciles the counts of a class, by name. They are advice for previews, so the watches are good enough. */
export function classController({ plane, stores }: Context): Controller<ClassFacts, object> {
  return {
    gather: async (view, name) => {
      const object = await view.get(Kinds.MacClass, { name });
      if (object === null) return null;
      const now = await view.now();
      return { now, object, patch: statusPatch(object.status, classStatus(stores, name, now)), silence: nextSilence(stores, name, now) };
    },
    decide: ({ patch, silence }) => (patch === null ? { wait: silence } : { step: patch }),
    perform: async (patch, { object }) => void (await swapStatus(plane, Kinds.MacClass, object, patch)),
    isReversible: () => true,
  };
}
