import { playsWhole, SEED } from './plays-whole';

describe('whatever tenants do and whoever dies, on the development plane', () => {
  it(`two machines, one tenant, the floor, every lease, every Mac and the record stand: seed ${SEED}`, () => playsWhole('dev', SEED, 60));
});
