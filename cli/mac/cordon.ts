import { changeMac, macOf, onFleet, tell, type AccessOptions } from './access';

function sentence(serial: string, cordoned: boolean): string {
  return cordoned
    ? `Mac ${serial} takes no new lease. A lease that it has goes on, with its starts and restarts; macrack mac uncordon ${serial} ends this.`
    : `Mac ${serial} may take a new lease when it is free.`;
}

/** Keeps a Mac from its next lease, or lets it have one again. The present tenant notices nothing. */
export async function cordon(serial: string, cordoned: boolean, options: AccessOptions): Promise<void> {
  await onFleet(options, async (plane) => {
    const macNode = await macOf(plane, serial);
    if (macNode.spec.cordoned !== cordoned) await changeMac(plane, macNode, { spec: { cordoned } });
    tell(options, { serial, cordoned }, sentence(serial, cordoned));
  });
}
