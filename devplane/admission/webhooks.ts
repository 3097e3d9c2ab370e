import { randomUUID } from 'node:crypto';
import { compileCel, environment, type Expression } from '../cel/environment';
import type { ApiObject, Json } from '../json';
import { at, isEqual, listAt, recordAt, textAt, textsAt } from '../json';
import { internal, StatusError } from '../server/status-error';
import type { Attributes } from './attributes';
import { celContext } from './cel-context';
import { applyJsonPatch, JsonPatchError } from './json-patch';
import { requestName, ruleMatches, subjectOf } from './match';
import { postReview } from './webhook-client';

interface Hook {
  name: string;
  rules: Json[];
  conditions: { source: string; test: Expression }[];
  url: string;
  /** PEM. */
  ca: string | undefined;
  isFailClosed: boolean;
  timeoutSeconds: number;
}

function hookOf(source: Json): Hook {
  const name = textAt(source, 'name');
  for (const selector of ['namespaceSelector', 'objectSelector']) {
    if (Object.keys(recordAt(source, selector)).length > 0) throw new Error(`webhook ${name}: the development plane does not evaluate ${selector}`);
  }
  const env = environment(['object', 'oldObject', 'request']);
  const bundle = textAt(source, 'clientConfig', 'caBundle');
  const seconds = at(source, 'timeoutSeconds');
  return {
    name, rules: listAt(source, 'rules'), conditions: listAt(source, 'matchConditions').map((condition) => ({ source: textAt(condition, 'expression'), test: compileCel(env, textAt(condition, 'expression'), `webhook ${name}`) })),
    url: textAt(source, 'clientConfig', 'url'), ca: bundle ? Buffer.from(bundle, 'base64').toString() : undefined,
    isFailClosed: textAt(source, 'failurePolicy') !== 'Ignore', timeoutSeconds: typeof seconds === 'number' ? seconds : 10,
  };
}

function reviewOf(attributes: Attributes): Json {
  const { call, operation, object, oldObject, options, dryRun } = attributes;
  const { definition, user } = call;
  const kind = { group: definition.group, version: definition.version, kind: definition.kind };
  const resource = { group: definition.group, version: definition.version, resource: definition.resource };
  const subResource = call.subresource !== undefined && { subResource: call.subresource, requestSubResource: call.subresource };
  return {
    kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1',
    request: {
      uid: randomUUID(), kind, resource, requestKind: kind, requestResource: resource, ...subResource, name: requestName(attributes) ?? '', ...(call.namespace !== undefined && { namespace: call.namespace }),
      operation, userInfo: { username: user.name, groups: [...user.groups] }, object: object ?? null, oldObject: oldObject ?? null, dryRun, options: options ?? null,
    },
  };
}

/** Whether the webhook is asked. A condition that fails to evaluate refuses, unless the webhook fails open. @throws StatusError */
function isAsked(hook: Hook, attributes: Attributes): boolean {
  if (!hook.rules.some((rule) => ruleMatches(rule, attributes))) return false;
  if (hook.conditions.length === 0) return true;
  const context = celContext(attributes);
  return hook.conditions.every(({ source, test }) => {
    try {
      return test(context) === true;
    } catch (error) {
      if (!hook.isFailClosed) return false;
      throw new StatusError(403, 'Forbidden', `${subjectOf(attributes)} is forbidden: webhook "${hook.name}": expression '${source}' resulted in error: ${(error as Error).message.split('\n')[0]}`);
    }
  });
}

function patchedBy(hook: Hook, object: ApiObject, steps: Json[]): ApiObject {
  try {
    return applyJsonPatch(object, steps) as ApiObject;
  } catch (error) {
    throw error instanceof JsonPatchError ? internal(`admission webhook "${hook.name}" sent a patch that does not fit: ${error.message}`) : error;
  }
}

/** A code and a reason that the webhook gives pass through; without them a denial is 403. */
function denial(hook: Hook, response: Json): StatusError {
  const code = at(response, 'status', 'code');
  const [message, reason] = [textAt(response, 'status', 'message'), textAt(response, 'status', 'reason')];
  const text = `admission webhook "${hook.name}" denied the request${message || reason ? `: ${message || reason}` : ' without explanation'}`;
  return new StatusError(typeof code === 'number' && code >= 400 ? code : 403, reason || (typeof code === 'number' ? '' : 'Forbidden'), text, recordAt(response, 'status', 'details'));
}

/** The Mutating- and ValidatingWebhookConfigurations of a set of manifests, called over HTTPS. */
export class Webhooks {
  readonly #mutating: Hook[];
  readonly #validating: Hook[];
  #redirect: { origin: string; ca: string } | undefined;

  constructor(manifests: ApiObject[]) {
    const hooks = (kind: string) => manifests.filter((manifest) => manifest.kind === kind).flatMap((manifest) => listAt(manifest, 'webhooks')).map(hookOf);
    this.#mutating = hooks('MutatingWebhookConfiguration');
    this.#validating = hooks('ValidatingWebhookConfiguration');
    // reinvocationPolicy has a meaning only where another webhook comes after.
    if (this.#mutating.length > 1) throw new Error('the development plane calls each mutating webhook once: with several, reinvocation would be missing');
  }

  /** From now on every call goes to this origin, with the path of its manifest. @param ca PEM of the CA that signed the certificate there */
  redirect(origin: string, ca: string): void {
    this.#redirect = { origin, ca };
  }

  async mutate(attributes: Attributes): Promise<ApiObject | undefined> {
    let { object } = attributes;
    for (const hook of this.#mutating) {
      const response = await this.#ask(hook, { ...attributes, ...(object && { object }) });
      const patch = textAt(response, 'patch');
      if (patch === '') continue;
      const steps = JSON.parse(Buffer.from(patch, 'base64').toString()) as Json[];
      if (!object) throw internal(`admission webhook "${hook.name}" attempted to modify the object, which is not supported for this operation`);
      const patched = patchedBy(hook, object, steps);
      if (attributes.call.subresource === 'binding' && !isEqual(patched, object)) throw internal(`admission webhook "${hook.name}" modified a Binding, which the development plane does not carry out`);
      object = patched;
    }
    return object;
  }

  async validate(attributes: Attributes): Promise<void> {
    for (const hook of this.#validating) await this.#ask(hook, attributes);
  }

  /** @returns the webhook's response, or undefined when it has no say. @throws StatusError for a denial or when it cannot be asked */
  async #ask(hook: Hook, attributes: Attributes): Promise<Json | undefined> {
    if (!isAsked(hook, attributes)) return undefined;
    const url = new URL(hook.url);
    const target = this.#redirect ? new URL(url.pathname + url.search, this.#redirect.origin) : url;
    target.searchParams.set('timeout', `${hook.timeoutSeconds}s`);
    let response: Json | undefined;
    try {
      response = at(await postReview(target, this.#redirect?.ca ?? hook.ca, reviewOf(attributes), hook.timeoutSeconds), 'response');
      if (response === undefined) throw new Error('expected response.uid, got none');
    } catch (error) {
      if (!hook.isFailClosed) return undefined;
      throw internal(`failed calling webhook "${hook.name}": failed to call webhook: ${(error as Error).message}`);
    }
    attributes.call.warnings.push(...textsAt(response, 'warnings'));
    if (at(response, 'allowed') !== true) throw denial(hook, response);
    return response;
  }
}
