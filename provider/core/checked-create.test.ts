import { Kinds } from '../../sdk/api/kinds';
import { PlaneError } from '../../sdk/client/errors';
import { createLease } from './lease-create';
import { leaseTarget, Scene, settle } from './testing/scene';

const unjudged = (said: string) => new PlaneError({ fault: 'Unavailable', code: 500, method: 'POST', path: '/test' }, said);

describe('a create that admission cannot judge', () => {
  it.each([
    'Internal error occurred: failed calling webhook "validate.macrack.io": connection refused',
    'admission webhook "validate.macrack.io" denied the request: macrack: NotChecked: the request could not be checked',
  ])('is sent again, since nothing was stored: %s', async (said) => {
    const scene = new Scene();
    let refused = 0;
    scene.plane.refuse = (verb) => (verb === 'create' && ++refused === 1 ? unjudged(said) : undefined);
    scene.plane.react = (verb, { metadata }) => {
      if (verb === 'create') scene.plane.change(Kinds.MacNodeLease, { namespace: 'team-a', name: metadata.name }, (lease) => ({ ...lease, status: { phase: 'Bound' as const } }));
    };
    const made = createLease(scene.core, scene.call(), leaseTarget({ name: 'l1' }), 600_000);
    await settle();
    expect(refused).toBe(1);
    scene.timers.fire(1000);
    expect((await made).object?.status?.phase).toBe('Bound');
    expect(refused).toBe(2);
  });

  it('ends with the fault when the time is over', async () => {
    const scene = new Scene();
    scene.plane.refuse = (verb) => (verb === 'create' ? unjudged('failed calling webhook') : undefined);
    const made = createLease(scene.core, scene.call(), leaseTarget({ name: 'l1' }), 600_000);
    await settle();
    scene.timers.fire();
    const { object, findings } = await made;
    expect({ object, findings }).toMatchObject({ object: null, findings: [{ severity: 'error', reason: 'NotChecked' }] });
  });
});
