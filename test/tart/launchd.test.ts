import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { addAgentCommand } from '../../cli/agent-command';
import { addMacCommands } from '../../cli/mac/command';
import { readPlist } from './plist';

const root = resolve(__dirname, '..', '..');
const file = readFileSync(resolve(root, 'deploy', 'launchd', 'io.macrack.agent.plist'), 'utf8');
const page = readFileSync(resolve(root, 'docs', 'install-mac.md'), 'utf8');
const job = readPlist(file) as { readonly Label: string; readonly ProgramArguments: readonly string[]; readonly EnvironmentVariables: Readonly<Record<string, string>>; readonly [key: string]: unknown };

const option = <T>(parse: (text: string) => T) => (text: string): T => {
  try {
    return parse(text);
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : String(error));
  }
};

/** The options of a command line as the command line itself reads it; nothing is run. */
async function parsed(args: readonly string[]): Promise<{ readonly command: string; readonly options: Readonly<Record<string, unknown>> }> {
  const program = new Command('macrack').enablePositionalOptions();
  addAgentCommand(program, option);
  addMacCommands(program, option);
  const read = { command: '', options: {} };
  const disarm = (command: Command): void => {
    command.exitOverride().configureOutput({ writeErr: () => undefined });
    if (command.commands.length === 0 || command.name() === 'agent') command.action(() => void Object.assign(read, { command: command.name(), options: command.opts() }));
    command.commands.forEach(disarm);
  };
  disarm(program);
  await program.parseAsync(args, { from: 'user' });
  return read;
}

describe('the launchd file', () => {
  it('starts the agent with arguments that it takes', async () => {
    const [program, ...args] = job.ProgramArguments;
    expect(program).toBe('/usr/local/macrack/bin/macrack');
    expect(await parsed(args)).toMatchObject({
      command: 'agent',
      options: { driver: 'tart', stateDir: '/Users/macrack/macrack/state', bootstrapKubeconfig: '/Users/macrack/macrack/bootstrap.kubeconfig', listen: { host: '0.0.0.0', port: 10_250 }, advertise: 'mac-1.example.com:10250' },
    });
  });

  it('keeps it running, in the session of its user, where it finds tart and Node', () => {
    expect(job).toMatchObject({ Label: 'io.macrack.agent', KeepAlive: true, RunAtLoad: true, AbandonProcessGroup: false, LimitLoadToSessionType: 'Aqua', ProcessType: 'Interactive', Umask: 0o077 });
    expect(job.EnvironmentVariables['PATH']?.split(':')).toEqual(expect.arrayContaining(['/opt/homebrew/bin', '/opt/homebrew/opt/node@22/bin', '/usr/sbin']));
  });

  it('has no secret, and no variable in which there could be one', () => {
    expect(Object.keys(job.EnvironmentVariables).sort()).toEqual(['HOME', 'PATH']);
    expect(file).not.toMatch(/password|token|BEGIN|TART_REGISTRY/i);
  });

  it.each([
    ['a document of another kind', '<plist></plist>'],
    ['an element that is not closed', file.replace('</array>', '')],
    ['a key without a value', file.replace('<true/>', '')],
    ['a key that is there twice', file.replace('<key>KeepAlive</key>', '<key>RunAtLoad</key>')],
    ['a bare ampersand', file.replace('0.0.0.0', 'a & b')],
  ])('is read strictly: not as %s', (_what, text) => {
    expect(() => readPlist(text)).toThrow();
  });
});

describe('docs/install-mac.md', () => {
  const lines = [...page.matchAll(/^\s*```sh\n(.*?)^\s*```$/gms)].flatMap(([, block = '']) => block.split('\n'));
  const calls = lines.flatMap((line) => /(?:^|\/bin\/)macrack ((?:agent|mac) .*)$/.exec(line.trim())?.[1] ?? []);

  it('names command lines that macrack takes', async () => {
    expect(calls.length).toBeGreaterThanOrEqual(6);
    for (const call of calls) {
      const args = call.replaceAll('$SERIAL', 'c02abc123def').replaceAll('$HARDWARE_UUID', '00000000-0000-1000-8000-000000000000').replaceAll('"', '').split(' ');
      expect((await parsed(args)).command).toBe(args[1]);
    }
  });

  it('speaks of the label, the files and the address that the launchd file has', () => {
    const paths = ['/usr/local/macrack', '/Users/macrack/macrack/bootstrap.kubeconfig', `Library/LaunchAgents/${job.Label}.plist`, `gui/$(id -u macrack)/${job.Label}`];
    expect(paths.filter((path) => !page.includes(path))).toEqual([]);
    expect(file).toContain('mac-1.example.com');
    expect(page).toContain('s/mac-1\\.example\\.com/$ADDRESS/');
  });
});
