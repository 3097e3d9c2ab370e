import { join } from 'node:path';
import { DEPLOY, LayerPlane } from './layer-plane';
import { AGENT, describePolicies, SCHEDULER } from './policy-layer';

const users = [{ name: SCHEDULER, groups: ['system:masters'] }, { name: AGENT, groups: ['system:nodes'] }];

describePolicies(() => LayerPlane.start({ policies: join(DEPLOY, 'policies'), users }), false);
