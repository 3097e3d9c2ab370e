/** URL paths of the API server. */
export const ours = (plural: string, name?: string, namespace?: string): string =>
  ['/apis/macrack.io/v1', ...(namespace === undefined ? [] : ['namespaces', namespace]), plural, ...(name === undefined ? [] : [name])].join('/');
export const lease = (namespace: string, name?: string): string => ours('macnodeleases', name, namespace);
export const instance = (namespace: string, name?: string): string => ours('macosinstances', name, namespace);
export const claim = (name?: string): string => ours('macnodebindings', name);
export const macNode = (name?: string): string => ours('macnodes', name);
export const node = (name?: string): string => ['/api/v1/nodes', ...(name === undefined ? [] : [name])].join('/');
export const inNamespace = (namespace: string, plural: string, name?: string): string => ['/api/v1/namespaces', namespace, plural, ...(name === undefined ? [] : [name])].join('/');
export const pod = (namespace: string, name?: string): string => inNamespace(namespace, 'pods', name);
export const crd = (plural?: string): string => ['/apis/apiextensions.k8s.io/v1/customresourcedefinitions', ...(plural === undefined ? [] : [`${plural}.macrack.io`])].join('/');
export const admission = (plural: string, name?: string): string => ['/apis/admissionregistration.k8s.io/v1', plural, ...(name === undefined ? [] : [name])].join('/');
export const rbac = (plural: string, name?: string): string => ['/apis/rbac.authorization.k8s.io/v1', plural, ...(name === undefined ? [] : [name])].join('/');
export const certificate = (name?: string): string => ['/apis/certificates.k8s.io/v1/certificatesigningrequests', ...(name === undefined ? [] : [name])].join('/');
/** One object of a collection: what a DELETECOLLECTION takes, so that the others of its kind stay out of the row. */
export const only = (path: string, name: string): string => `${path}?fieldSelector=metadata.name%3D${name}`;
