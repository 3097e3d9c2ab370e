import { ADMIN } from '../../realplane/identities';
import type { Run } from '../../realplane/kubectl';
import type { Side } from './planes';

const NAMESPACE = 'tenant-b';
const TENANT = NAMESPACE;

const lease = (name: string, spec: object): string => JSON.stringify({ apiVersion: 'macrack.io/v1', kind: 'MacNodeLease', metadata: { ...(name.endsWith('-') ? { generateName: name } : { name }), namespace: NAMESPACE }, spec });
const event = JSON.stringify({
  apiVersion: 'events.k8s.io/v1', kind: 'Event', metadata: { name: 'told', namespace: NAMESPACE }, regarding: { apiVersion: 'macrack.io/v1', kind: 'MacNodeLease', name: 'one', namespace: NAMESPACE },
  reason: 'Bound', note: 'it is bound', action: 'Bind', type: 'Normal', reportingController: 'macrack.io/operator', reportingInstance: 'o-1', eventTime: '2026-11-29T10:00:00.000000Z',
});
const space = (label: string): string => JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'made', labels: { a: label } } });

/** One command, after all those before it. */
export interface Command {
  readonly as: string;
  readonly args: readonly string[];
  readonly input?: string;
  /** Why the development plane answers otherwise, where it does. */
  readonly differs?: string;
}

const tenant = (args: string, input?: string, differs?: string): Command => ({ as: TENANT, args: args.split(' '), ...(input !== undefined && { input }), ...(differs !== undefined && { differs }) });
const admin = (args: string, input?: string): Command => ({ ...tenant(args, input), as: ADMIN });
const here = `-n ${NAMESPACE}`;

/** What people type. */
export const SESSION: readonly Command[] = [
  tenant('create -f -', lease('one', { class: 'base' })),
  tenant('create -f -', lease('one', { class: 'base' })),
  tenant('create -f -', lease('bad', { class: 'base', maxVMs: 3 })),
  tenant('create -f - --validate=false', lease('loose', { class: 'base', maxVMs: 3 })),
  tenant('create -f -', lease('g-', { class: 'pro' })),
  tenant('apply -f -', lease('one', { class: 'base', minimumDuration: '48h' })),
  tenant('apply -f -', lease('one', { class: 'base', minimumDuration: '48h' })),
  tenant('apply -f -', lease('one', { class: 'pro', minimumDuration: '24h' })),
  tenant('apply -f - --dry-run=server', lease('two', { class: 'base' })),
  tenant('apply -f - --server-side --dry-run=server', lease('two', { class: 'base' }), 'the development plane keeps no field managers, so it could not tell a conflict of server-side apply'),
  tenant(`patch macnodelease one ${here} --type=merge -p {"spec":{"minimumDuration":"72h"}}`),
  tenant(`patch macnodelease one ${here} --type=json -p [{"op":"test","path":"/spec/class","value":"pro"}]`),
  tenant(`patch macnodelease one ${here} -p {"spec":{"release":true}}`),
  tenant(`annotate macnodelease one ${here} note=x`),
  tenant(`label macnodelease one ${here} app=x`),
  tenant(`get macnodelease ${here} -l app=x -o name`),
  tenant(`get mnl one ${here} -o jsonpath={.spec}`),
  tenant(`explain macnodelease.spec.minimumDuration`),
  tenant(`wait macnodelease/one ${here} --for=jsonpath={.spec.class}=base --timeout=180s`),
  tenant(`wait macnodelease/one ${here} --for=condition=Ready --timeout=1s`),
  tenant(`auth can-i create macnodeleases ${here}`),
  tenant(`auth can-i create pods ${here}`),
  admin('create -f -', event),
  admin(`get events ${here}`),
  tenant(`describe macnodelease one ${here}`),
  admin('create namespace fresh'),
  admin('apply -f -', space('b')),
  admin('apply -f -', space('c')),
  admin(`describe namespace ${NAMESPACE}`),
  admin(`create rolebinding more ${here} --clusterrole=macrack-tenant-viewer --user=u`),
  tenant(`delete macnodelease one ${here} --wait=true`),
  tenant(`delete macnodelease one ${here}`),
  tenant(`delete macnodelease --all ${here}`),
  admin('delete namespace made fresh --timeout=180s'),
];

/** What must not be alike: stamps, ages, identities, made-up names. */
function neutral(text: string): string {
  return text
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '<instant>').replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<uid>').replace(/(Resource Version: +|"resourceVersion":")\d+/g, '$1<version>')
    .replace(/\bg-[a-z0-9]{5}\b/g, 'g-<made>').replace(/(<unknown>|<invalid>|\b\d+[smhd](\d+[smhd])?)(?= +)/g, '<age>').replace(/https:\/\/127\.0\.0\.1:\d+/g, '<server>').replace(/ +$/gm, '');
}

/** Types the session on one plane. */
export async function typeAll(side: Side): Promise<Run[]> {
  const runs: Run[] = [];
  for (const { as, args, input } of SESSION) {
    const { code, out, err } = await side.kubectl(as, args, input);
    runs.push({ code, out: neutral(out), err: neutral(err) });
  }
  return runs;
}
