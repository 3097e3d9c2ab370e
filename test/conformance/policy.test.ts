import { join } from 'node:path';
import { AGENT_USER, describeAgentIdentity } from './agent-identity';
import { DEPLOY, LayerPlane } from './layer-plane';
import { AGENT, describePolicies, SCHEDULER } from './policy-layer';

const users = [{ name: SCHEDULER, groups: ['system:masters'] }, ...[AGENT, AGENT_USER].map((name) => ({ name, groups: ['system:nodes'] }))];

describePolicies(() => LayerPlane.start({ policies: join(DEPLOY, 'policies'), users }), false, (layer) => {
  describeAgentIdentity(() => ({ as: (user) => layer().as(user), timers: layer().plane.timers, advance: (ms) => layer().plane.clock.advance(ms) }), true);
});
