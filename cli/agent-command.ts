import { Option, type Command } from 'commander';
import type { AgentClient } from '../sdk/client';
import { advertisedAddress, agentEndpoint, certificateFile, driverName, entryNumber, serialNumber, type AgentAccessOptions, type AgentCommandOptions, type HardwareOptions } from './agent-options';
import { listenAddress, logLevel } from './operator-options';

type Parsed = <T>(parse: (text: string) => T) => (text: string) => T;

/** `macrack agent`, and what fleet operators ask of one. */
export function addAgentCommand(program: Command, option: Parsed): void {
  const agent = program.command('agent')
    .description('run the host agent of this Mac; machines go on when it ends')
    .addOption(new Option('--driver <driver>', 'tart, or sim for a simulated Mac in the state directory').argParser(option(driverName)).default('tart'))
    .option('--state-dir <dir>', 'directory of its own, which is needed: identity, journal, heads of the audit record; made where it is missing')
    .option('--bootstrap-kubeconfig <file>', 'kubeconfig that `macrack mac enrol` made; needed until the agent has its certificate')
    .option('--serial <serial>', "serial number (default: this Mac's own; sim has none)", option(serialNumber))
    .addOption(new Option('--listen <host:port>', 'where its HTTPS API listens').argParser(option(listenAddress)).default({ host: '127.0.0.1', port: 10_250 }, '127.0.0.1:10250'))
    .option('--advertise <host[:port]>', 'address by which the operator reaches it (default: that of --listen)', option(advertisedAddress))
    .option('--client-ca <file>', 'PEM file of the authority that signs clients (default: that of the cluster)', option(certificateFile))
    .option('--log-level <level>', 'debug, info, warn or error; JSON lines on standard error', option(logLevel), 'info')
    .action(async (options: AgentCommandOptions) => {
      const { agent: run } = await import('./agent.js');
      process.exitCode = await run(options);
    });
  // Its subcommands have options of the same names.
  agent.enablePositionalOptions();
  addHardware(agent, option);
  addQuestions(agent, option);
}

/** What an administrator enrols the Mac by. */
function addHardware(agent: Command, option: Parsed): void {
  agent.command('hardware')
    .description('print serial number and hardware UUID of this Mac, by which it is enrolled, and how many macOS machines its kernel allows')
    .addOption(new Option('--driver <driver>', 'tart or sim').argParser(option(driverName)).default('tart'))
    .option('--state-dir <dir>', 'with sim: directory of the simulated Mac', '.')
    .option('--serial <serial>', 'with sim: serial number', option(serialNumber))
    .action(async (options: HardwareOptions) => {
      const { hardware } = await import('./agent.js');
      process.exitCode = await hardware(options);
    });
}

function question(agent: Command, option: Parsed, name: string, description: string): Command {
  return agent.command(name).description(description)
    .requiredOption('--endpoint <url>', 'https://host:port, as status.agentEndpoint of the MacNode has it', option(agentEndpoint))
    .requiredOption('--serial <serial>', 'serial number of the Mac; its certificate must say so', option(serialNumber))
    .requiredOption('--cert <file>', 'client certificate of a fleet operator (O=macrack:fleet-operators), PEM')
    .requiredOption('--key <file>', 'its key, PEM')
    .requiredOption('--ca <file>', "authority that signs the agents' certificates, PEM");
}

/** What is left of an instance whose machine was stopped: without a disk the agent knows nothing of it any more. */
async function afterStop(client: AgentClient, instanceUID: string): Promise<unknown> {
  try {
    return await client.instance(instanceUID);
  } catch (error) {
    if (error instanceof Error && error.name === 'AgentRefused' && 'code' in error && error.code === 404) return { instanceUID, state: 'Stopped' };
    throw error;
  }
}

/** For fleet operators, with a client certificate. Answers are JSON on standard output. */
function addQuestions(agent: Command, option: Parsed): void {
  const asking = async (options: AgentAccessOptions, ask: (client: AgentClient) => Promise<unknown>): Promise<void> => {
    const { askAgent } = await import('./agent-questions.js');
    process.exitCode = await askAgent(options, ask);
  };
  question(agent, option, 'capacity', 'print how many machines run on a Mac, and how many may')
    .action((options: AgentAccessOptions) => asking(options, (client) => client.capacity()));
  question(agent, option, 'instances', 'print machines and disks on a Mac, also those that MacRack did not make')
    .action((options: AgentAccessOptions) => asking(options, (client) => client.instances()));
  question(agent, option, 'stop', 'stop the machine of an instance; its pod ends Failed and the journal says why')
    .argument('<instance-uid>', 'metadata.uid of the MacOSInstance')
    .option('--binding <uid>', 'stop it only if it belongs to the claim with this UID')
    .action((uid: string, options: AgentAccessOptions & { binding?: string }) => asking(options, async (client) => {
      await client.stop(uid, options.binding);
      return afterStop(client, uid);
    }));
  question(agent, option, 'journal', 'print what happened on a Mac, oldest first')
    .option('--after <number>', 'entries with a greater number', option(entryNumber), 0)
    .action((options: AgentAccessOptions & { after: number }) => asking(options, (client) => client.journal(options.after)));
  question(agent, option, 'audit-heads', 'print the heads of the audit record that the operator gave to this agent')
    .action((options: AgentAccessOptions) => asking(options, (client) => client.auditHeads()));
}
