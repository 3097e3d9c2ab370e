import type { ApiObject } from '../devplane/json';

interface Pair { readonly value: string; readonly mod_revision: string }

const encode = (text: string): string => Buffer.from(text).toString('base64');

/** Where an API server keeps an object of a custom resource. */
export function storageKey(group: string, plural: string, name: string, namespace?: string): string {
  return ['/registry', group, plural, ...(namespace === undefined ? [] : [namespace]), name].join('/');
}

/** Direct access to the store under the API server, over the JSON gateway of etcd. Custom resources only: those are stored as JSON. */
export class EtcdStore {
  constructor(private readonly url: string) {}

  /** Reads, changes and writes one object, past every rule of the API; again from the start if somebody else wrote meanwhile. */
  async edit(key: string, change: (object: ApiObject) => ApiObject): Promise<void> {
    for (;;) {
      const { value, mod_revision } = await this.#read(key);
      const object = JSON.parse(Buffer.from(value, 'base64').toString('utf8')) as ApiObject;
      if (await this.#replace(key, mod_revision, JSON.stringify(change(object)))) return;
    }
  }

  async #read(key: string): Promise<Pair> {
    const { kvs } = await this.#call<{ kvs?: Pair[] }>('range', { key: encode(key) });
    if (kvs?.[0] === undefined) throw new Error(`etcd holds nothing at ${key}`);
    return kvs[0];
  }

  async #replace(key: string, revision: string, value: string): Promise<boolean> {
    const compare = [{ key: encode(key), target: 'MOD', result: 'EQUAL', mod_revision: revision }];
    const success = [{ request_put: { key: encode(key), value: encode(value) } }];
    return (await this.#call<{ succeeded?: boolean }>('txn', { compare, success })).succeeded === true;
  }

  async #call<T>(verb: 'range' | 'txn', body: object): Promise<T> {
    const answer = await fetch(`${this.url}/v3/kv/${verb}`, { method: 'POST', body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`etcd answers ${answer.status} to ${verb}: ${await answer.text()}`);
    return await answer.json() as T;
  }
}
