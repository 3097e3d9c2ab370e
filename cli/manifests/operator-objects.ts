import type { ApiObject, Json } from '../../devplane/json';
import { listAt } from '../../devplane/json';

interface Changes {
  /** Default: the one in deploy/. */
  readonly image?: string;
  /** Where API servers call, when not at the Service: its certificate has to name that host. */
  readonly webhookHost?: string;
}

function changedContainer(container: Json, { image, webhookHost }: Changes): Json {
  const { args, ...rest } = container as { args: string[] };
  return { ...rest, args: webhookHost === undefined ? args : [...args, `--webhook-name=${webhookHost}`], ...(image !== undefined && { image }) };
}

function changedDeployment(deployment: ApiObject, changes: Changes): ApiObject {
  const { template, ...spec } = deployment.spec as { template: { spec: Record<string, Json> } };
  const containers = listAt(deployment, 'spec', 'template', 'spec', 'containers').map((container) => changedContainer(container, changes));
  return { ...deployment, spec: { ...spec, template: { ...template, spec: { ...template.spec, containers } } } };
}

/**
 * The operator's objects with the image and the address of an installation. The Deployment comes last: a pod that starts before the Service
 * is there does not get the variable with its address.
 */
export function operatorObjects(objects: readonly ApiObject[], changes: Changes): ApiObject[] {
  const isDeployment = ({ kind }: ApiObject): boolean => kind === 'Deployment';
  return [...objects.filter((object) => !isDeployment(object)), ...objects.filter(isDeployment).map((deployment) => changedDeployment(deployment, changes))];
}
