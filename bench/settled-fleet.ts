import { randomUUID } from 'node:crypto';
import { Rig, TENANT } from '../operator/testing/rig';
import { Kinds } from '../sdk/api/kinds';
import type { Kind, KubeObject } from '../sdk/api/object';

/** A kind, and an object of it. */
export type Stored = readonly [Kind<KubeObject>, KubeObject];

const WORD = 'template';
const SERIAL = `${WORD}mac`;
const NAMESPACES = 100;
const OF_A_MAC: readonly Kind<KubeObject>[] = [Kinds.MacNode, Kinds.Node, Kinds.MacNodeBinding, Kinds.MacNodeLease, Kinds.MacOSInstance, Kinds.Pod];

/** What a Mac that is leased leaves on a plane, with its machines running, as a real operator wrote it. */
async function leasedMac(instances: number): Promise<Stored[]> {
  const rig = await Rig.open(SERIAL);
  try {
    await rig.operate();
    await rig.createLease(`${WORD}-lease`);
    await rig.untilLease(`${WORD}-lease`, 'Bound');
    for (let index = 0; index < instances; index += 1) {
      await rig.createInstance(`${WORD}-vm-${index}`, { leaseName: `${WORD}-lease` });
      await rig.untilInstance(`${WORD}-vm-${index}`, 'Running');
    }
    return OF_A_MAC.flatMap((kind) => rig.plane.all(kind).map((object): Stored => [kind, object]));
  } finally {
    await rig.close();
  }
}

const hex = (number: number): string => number.toString(16).padStart(6, '0').replace(/(..)(..)(..)/, '$1:$2:$3');

/** The same Mac again under another serial: every UID, name and hardware address is its own. */
function another(template: readonly Stored[], number: number): Stored[] {
  let text = JSON.stringify(template.map(([, object]) => object)).replaceAll(WORD, `m${number}`).replaceAll(TENANT, `team-${number % NAMESPACES}`);
  template.forEach(([, { metadata: { uid } }], index) => {
    text = text.replaceAll(`02:${uid.slice(0, 2)}:${uid.slice(2, 4)}:${uid.slice(4, 6)}:00:01`, `02:${hex(number * 16 + index)}:00:01`).replaceAll(uid, randomUUID());
  });
  return (JSON.parse(text) as KubeObject[]).map((object, index): Stored => [template[index]?.[0] ?? Kinds.Pod, object]);
}

/** Macs that are leased, with as many machines on each. @param instances on each Mac: at most two */
export async function* settledFleet(chassis: number, instances: number): AsyncGenerator<Stored> {
  const template = await leasedMac(instances);
  for (let number = 1; number <= chassis; number += 1) yield* another(template, number);
}
