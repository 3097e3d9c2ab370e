import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { IdentityRig } from '../testing/identity-rig';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

// Files are synced to a disk that others use too.
let rig: IdentityRig;
beforeEach(async () => { rig = await IdentityRig.open(); });
afterEach(() => rig.close());

const errors = () => rig.lines.filter(({ level }) => level >= 50).map(({ msg }) => msg);
const current = (purpose: 'client' | 'serving') => join(rig.state, purpose, 'current.pem');

/** An agent that has both certificates. */
async function enrolled() {
  const life = await rig.live();
  await rig.until('it serves', () => life.served.length === 1);
  return life;
}

describe('the identity of an agent', () => {
  it('is a client certificate by the token of the enrolment, and a serving certificate by that certificate', async () => {
    const { served } = await enrolled();
    expect(rig.connected).toEqual(['bootstrap.kubeconfig', 'kubeconfig']);
    expect(served[0]?.x509.subject).toBe('O=system:nodes\nCN=system:node:mac-c02abc');
    expect(served[0]?.x509.subjectAltName).toBe('IP Address:127.0.0.1, DNS:mac-c02abc');
    const [client] = (await rig.plane.list({ group: '', version: 'v1', kind: 'CertificateSigningRequest', plural: '', namespaced: false })).items;
    expect(client?.metadata).toMatchObject({ name: expect.stringMatching(/^mac-c02abc\.client\.[0-9a-f]{16}$/) as string, annotations: { 'macrack.io/hardware-uuid': 'HW' } });
    expect(client?.spec).toMatchObject({ signerName: 'kubernetes.io/kube-apiserver-client-kubelet', usages: ['digital signature', 'client auth'] });
  });

  it('is kept from everybody else on the Mac, and holds no token', async () => {
    await enrolled();
    expect(rig.exposed()).toEqual([]);
    expect(existsSync(join(rig.state, 'client', 'next.key'))).toBe(false);
  });

  it('needs no bootstrap kubeconfig once it has been enrolled', async () => {
    (await enrolled()).end();
    rmSync(rig.bootstrapKubeconfig);
    const life = await rig.live();
    await rig.until('it serves', () => life.served.length === 1);
    expect(rig.issuer.keys.get('client')?.size).toBe(1);
    expect(rig.issuer.keys.get('serving')?.size).toBe(1);
  });

  it('is not lost over a bootstrap kubeconfig that is none, which an agent that has none is told', async () => {
    writeFileSync(join(rig.directory, 'damaged'), 'clusters: {');
    await expect(rig.live({ bootstrap: join(rig.directory, 'damaged') })).rejects.toThrow(/damaged is not a kubeconfig/);
    (await enrolled()).end();
    const life = await rig.live({ bootstrap: join(rig.directory, 'damaged') });
    await rig.until('it serves', () => life.served.length === 1);
  });

  it('is refused to an agent that was never enrolled, in a sentence', async () => {
    await expect(rig.live({ bootstrap: '' })).rejects.toThrow('this agent was never enrolled: run `macrack mac enrol c02abc` and start it with --bootstrap-kubeconfig');
  });

  it('is renewed after two thirds of its life and not before, with new keys, without a restart', async () => {
    const life = await enrolled();
    rig.pass(15 * HOUR_MS);
    await rig.until('time has passed', () => true);
    expect(rig.issuer.keys.get('client')?.size).toBe(1);
    rig.pass(2 * HOUR_MS);
    await rig.until('it serves under another certificate', () => life.served.length === 2);
    await rig.until('it has another client certificate', () => rig.issuer.keys.get('client')?.size === 2);
    expect(rig.connected.slice(2)).toEqual(['kubeconfig', 'kubeconfig']);
    expect(life.served[1]?.key).not.toBe(life.served[0]?.key);
    expect(errors()).toEqual([]);
  });

  it('goes on with what it has while a renewal waits or fails, and says until when', async () => {
    const life = await enrolled();
    rig.plane.down = 'Unreachable';
    rig.pass(17 * HOUR_MS);
    await rig.until('it says so', () => rig.lines.some(({ msg }) => msg === 'the client certificate could not be renewed yet'));
    rig.plane.down = undefined;
    await rig.until('it is renewed', () => life.served.length === 2);
  });

  it('that has expired is said to have, and comes back by a new enrolment without a restart', async () => {
    const life = await enrolled();
    rig.issuer.isAway = true;
    rmSync(rig.bootstrapKubeconfig);
    rig.pass(2 * DAY_MS);
    await rig.until('it says so', () => errors().some((msg) => /expired at .*: nothing is started or reported, machines that run go on .*macrack mac enrol c02abc/.test(msg)));
    expect(existsSync(current('client'))).toBe(true);
    rig.issuer.isAway = false;
    writeFileSync(rig.bootstrapKubeconfig, 'a new token');
    await rig.until('it has another', () => rig.issuer.keys.get('client')?.size === 2);
    await rig.until('it serves again', () => life.served.length === 2);
  });

  it('that is denied is asked for again, with another key, and the denial is told', async () => {
    rig.issuer.denial = 'macrack: the enrolment has had its certificate';
    const life = await rig.live();
    await rig.until('it says so', () => errors().some((msg) => msg.includes('has no client certificate yet')));
    rig.issuer.denial = undefined;
    await rig.until('it serves', () => life.served.length === 1);
  });

  it('says that a token is not accepted any more', async () => {
    rig.plane.down = 'Unauthorized';
    await rig.live();
    await rig.until('it says so', () => errors().some((msg) => msg.includes('its bootstrap token is not accepted: tokens end after an hour')));
  });

  it('that cannot be read is replaced', async () => {
    (await enrolled()).end();
    writeFileSync(current('client'), 'garbage');
    writeFileSync(current('serving'), '');
    const life = await rig.live();
    await rig.until('it serves', () => life.served.length === 1);
    expect(errors().some((msg) => msg.includes('has no client certificate yet'))).toBe(true);
  });

  it('survives a write that was cut short', async () => {
    (await enrolled()).end();
    writeFileSync(`${current('client')}.new`, 'half', { mode: 0o644 });
    const life = await rig.live();
    await rig.until('it serves', () => life.served.length === 1);
    rig.pass(17 * HOUR_MS);
    await rig.until('it is renewed', () => rig.issuer.keys.get('client')?.size === 2 && life.served.length === 2);
    await rig.until('nothing is open to others', () => rig.exposed().length === 0);
  });

  it('is no reason to flood a signer whose certificates are short', async () => {
    rig.issuer.leaf = { fromMs: -HOUR_MS, untilMs: 30_000 };
    const life = await rig.live();
    await rig.until('it serves', () => life.served.length === 1);
    const before = rig.issuer.keys.get('client')?.size ?? 0;
    for (let second = 0; second < 180; second += 1) {
      rig.pass(1000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect((rig.issuer.keys.get('client')?.size ?? 0) - before).toBeLessThanOrEqual(4);
  });
});
