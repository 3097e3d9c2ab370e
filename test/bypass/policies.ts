import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { RealPlane } from '../../realplane/real-plane';
import { until } from '../../sdk/client/until';
import { dry, send } from './request';

const PLUGIN = 'ValidatingAdmissionPolicy';
const ALL = 'all.yaml';
const CANARY = 'canary.macrack.static.k8s.io';

/** Says by its refusal which of our file sets is in force. */
const canary = (generation: number): string => [
  {
    apiVersion: 'admissionregistration.k8s.io/v1', kind: PLUGIN, metadata: { name: CANARY },
    spec: {
      failurePolicy: 'Fail', matchConstraints: { resourceRules: [{ apiGroups: [''], apiVersions: ['*'], operations: ['CREATE'], resources: ['configmaps'] }] },
      validations: [{ expression: "object.metadata.?name.orValue('') != 'canary'", message: `generation ${generation}.` }],
    },
  },
  { apiVersion: 'admissionregistration.k8s.io/v1', kind: `${PLUGIN}Binding`, metadata: { name: CANARY }, spec: { policyName: CANARY, validationActions: ['Deny'] } },
].map((object) => stringify(object)).join('---\n');

/** The policy files of a running API server, which are on the control-plane host: no request of this suite but this one gets there. */
export class Policies {
  readonly #texts = new Map<string, string>();
  #generation = 0;

  private constructor(private readonly plane: RealPlane) {}

  /** In one file from now on, so that a change of them is one change. */
  static async of(plane: RealPlane): Promise<Policies> {
    const policies = new Policies(plane);
    const folder = plane.admission.folder(PLUGIN);
    const names = readdirSync(folder);
    for (const name of names) policies.#texts.set(name.replace(/\.yaml$/, ''), readFileSync(join(folder, name), 'utf8'));
    for (const name of names) rmSync(join(folder, name));
    await policies.without();
    return policies;
  }

  /** Loads all but these, by the names of their files. */
  async without(...names: readonly string[]): Promise<void> {
    const unknown = names.filter((name) => !this.#texts.has(name));
    if (unknown.length > 0) throw new Error(`there is no policy ${unknown.join()}`);
    this.#generation += 1;
    const texts = [...this.#texts].filter(([name]) => !names.includes(name)).map(([, text]) => text);
    this.plane.admission.write(PLUGIN, ALL, [canary(this.#generation), ...texts].join('\n---\n'));
    await until('the API server has reloaded its policies', () => this.#isInForce());
  }

  /** The file of a policy. */
  text(name: string): string {
    return this.#texts.get(name) ?? '';
  }

  async #isInForce(): Promise<true | undefined> {
    const { text } = await send(this.plane, 'macrack-admin', { path: dry('/api/v1/namespaces/default/configmaps'), body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'canary' } } });
    return text.includes(`generation ${this.#generation}.`) || undefined;
  }
}
