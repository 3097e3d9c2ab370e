import { readFileSync } from 'node:fs';
import { AgentClient } from '../sdk/client';
import type { AgentAccessOptions } from './agent-options';

/** Asks one agent, and prints its answer. Resolves to the exit status. @throws Error in one sentence for an agent that cannot be asked, or refuses */
export async function askAgent({ endpoint, serial, cert, key, ca }: AgentAccessOptions, ask: (client: AgentClient) => Promise<unknown>): Promise<number> {
  const credentials = { ca: readFileSync(ca, 'utf8'), certificate: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
  const answer = await ask(new AgentClient(endpoint, serial, { credentials: () => credentials }));
  process.stdout.write(`${JSON.stringify(answer, null, 2)}\n`);
  return 0;
}
