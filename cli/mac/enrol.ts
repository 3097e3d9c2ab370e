import { Kinds, type MacNode } from '../../sdk/api/kinds';
import { Annotation } from '../../sdk/api/names';
import type { ClassName } from '../../sdk/api/phases';
import type { ControlPlane } from '../../sdk/client/control-plane';
import { formatInstant } from '../../sdk/rules/instant';
import { authorityOf } from '../cluster-authority';
import { changeMac, onFleet, print, type AccessOptions } from './access';
import { bootstrapKubeconfig } from './bootstrap-kubeconfig';
import { OwnFile } from './own-file';
import { createToken, findUsableToken, revokeToken, type BootstrapToken } from './bootstrap-token';
import { planEnrolment, type EnrolmentPlan } from './plan-enrolment';

export interface EnrolOptions extends AccessOptions {
  readonly class?: ClassName;
  readonly hardwareUuid?: string;
  readonly replaceHardware?: boolean;
  /** URL of the API server for the Mac; default: the administrator's. */
  readonly server?: string;
  /** File for the kubeconfig, for its owner's eyes only. Default: standard output. */
  readonly out?: string;
}

const enrolmentOf = (macNode: MacNode | null): string | undefined => macNode?.metadata.annotations?.[Annotation.Enrolment];

async function writeMac(plane: ControlPlane, macNode: MacNode | null, { spec }: EnrolmentPlan, token: BootstrapToken): Promise<void> {
  const annotations = { [Annotation.Enrolment]: token.id };
  if (macNode === null) await plane.create(Kinds.MacNode, { metadata: { name: spec.serial, annotations }, spec });
  else await changeMac(plane, macNode, { metadata: { annotations }, spec });
}

/** The token first: a MacNode never names one that was not made, and one that no MacNode names brings no certificate. */
async function enrolOn(plane: ControlPlane, serial: string, options: EnrolOptions): Promise<{ plan: EnrolmentPlan; token: BootstrapToken }> {
  const [macNode, claim, now] = await Promise.all([plane.tryGet(Kinds.MacNode, { name: serial }), plane.tryGet(Kinds.MacNodeBinding, { name: serial }), plane.serverTime()]);
  const plan = planEnrolment({
    serial, ...(options.class !== undefined && { class: options.class }), ...(options.hardwareUuid !== undefined && { hardwareUUID: options.hardwareUuid }), replaceHardware: options.replaceHardware === true,
  }, macNode, claim);
  const former = enrolmentOf(macNode);
  const known = former === undefined || plan.isNew ? undefined : await findUsableToken(plane, former, now);
  const token = known ?? await createToken(plane, serial, now);
  if (known === undefined || plan.isChanged) await writeMac(plane, macNode, plan, token);
  if (known === undefined && former !== undefined) await revokeToken(plane, former);
  return { plan, token };
}

function nextSteps({ spec }: EnrolmentPlan, token: BootstrapToken, where: string): string {
  return [
    `macrack: Mac ${spec.serial} is enrolled as class ${spec.class}. ${where} holds a secret, good until ${formatInstant(token.expiresAt)}: with it this hardware, and no other, asks once for its certificate.`,
    `Next, on the Mac: put it where the agent looks for it and start the agent (docs/install-mac.md). Then macrack mac list shows ${spec.serial} as Ready.`, '',
  ].join('\n');
}

/** Enrols a Mac, or enrols it again, and gives out what its agent needs to begin. A second call within the hour gives out the same. */
export async function enrol(serial: string, options: EnrolOptions): Promise<void> {
  // Before anything is changed: a secret that has nowhere to go is made for nobody.
  const file = options.out === undefined ? undefined : OwnFile.prepare(options.out);
  try {
    await enrolInto(file, serial, options);
  } finally {
    file?.discard();
  }
}

function enrolInto(file: OwnFile | undefined, serial: string, options: EnrolOptions): Promise<void> {
  return onFleet(options, async (plane) => {
    const ca = await authorityOf(plane);
    const { plan, token } = await enrolOn(plane, serial, options);
    const kubeconfig = bootstrapKubeconfig(options.server ?? plane.endpoint, ca, token);
    file?.write(kubeconfig);
    const { class: className, hardwareUUID } = plan.spec;
    const facts = { serial, class: className, hardwareUUID, enrolment: token.id, expiresAt: formatInstant(token.expiresAt), ...(options.out === undefined ? { kubeconfig } : { file: options.out }) };
    if (options.output === 'json') print(JSON.stringify(facts));
    else if (options.out === undefined) process.stdout.write(kubeconfig);
    process.stderr.write(nextSteps(plan, token, options.out ?? 'This kubeconfig'));
  });
}
