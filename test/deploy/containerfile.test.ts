import { type ChildProcess, execFile } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { manifests } from './manifests';

const root = resolve(__dirname, '../..');
const bin = join(root, 'node_modules', '.bin');

interface Instruction { readonly name: string; readonly value: string }
interface Stage { readonly name: string; readonly instructions: readonly Instruction[] }

/** The stages of the Containerfile. Lines that continue are not among what it uses. */
function stages(): Stage[] {
  const lines = readFileSync(join(root, 'Containerfile'), 'utf8').split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const instructions = lines.map((line): Instruction => ({ name: line.split(' ', 1)[0] ?? '', value: line.slice(line.indexOf(' ') + 1) }));
  const found: { name: string; instructions: Instruction[] }[] = [];
  for (const instruction of instructions) {
    if (instruction.name === 'FROM') found.push({ name: / AS (\w+)$/.exec(instruction.value)?.[1] ?? '', instructions: [] });
    found.at(-1)?.instructions.push(instruction);
  }
  return found;
}

const [build, image] = stages();
const valuesOf = (stage: Stage | undefined, name: string): string[] => (stage?.instructions ?? []).filter((instruction) => instruction.name === name).map(({ value }) => value);
const entryPoint = JSON.parse(valuesOf(image, 'ENTRYPOINT')[0] ?? '[]') as string[];

interface Ended { readonly code: number | null; readonly out: string; readonly err: string }

function run(command: string, args: readonly string[], options: { readonly cwd: string; readonly uid?: number; readonly env?: NodeJS.ProcessEnv }): Promise<Ended> {
  return new Promise((done) => {
    const env = { ...process.env, ...options.env, PATH: `${bin}:${process.env.PATH ?? ''}` };
    const child: ChildProcess = execFile(command, [...args], { ...options, env, ...(options.uid !== undefined && { gid: options.uid }) }, (_, out, err) => done({ code: child.exitCode, out, err }));
  });
}

describe('the Containerfile', () => {
  it('has a stage that builds and one that is the image, which runs as the user of the Deployment', () => {
    const [deployment] = manifests<{ kind: string; spec: { template: { spec: { securityContext: { runAsUser: number; runAsGroup: number } } } } }>('operator').filter(({ kind }) => kind === 'Deployment');
    const { runAsUser, runAsGroup } = deployment?.spec.template.spec.securityContext ?? {};
    expect(stages().map(({ name }) => name)).toEqual(['build', '']);
    expect(valuesOf(image, 'USER')).toEqual([`${runAsUser}:${runAsGroup}`]);
  });

  it('uses nothing but what is checked here', () => {
    expect(new Set(stages().flatMap(({ instructions }) => instructions.map(({ name }) => name)))).toEqual(new Set(['FROM', 'WORKDIR', 'COPY', 'RUN', 'ENV', 'USER', 'ENTRYPOINT']));
    expect(valuesOf(image, 'RUN')).toEqual(['npm ci --omit=dev --no-fund --no-audit']);
    expect(valuesOf(build, 'RUN').at(-1)).toMatch(/^npm run build\b/);
  });

  it('is built from nothing that is made here', () => {
    const ignored = readFileSync(join(root, '.containerignore'), 'utf8').trim().split('\n');
    expect(ignored).toEqual(expect.arrayContaining(['.git', 'dist', 'node_modules']));
  });
});

describe('the steps of the image, carried out in a directory', () => {
  let directory: string;
  let app: string;
  const user = process.getuid?.() === 0 ? 65_532 : undefined;
  const entry = (...args: string[]): Promise<Ended> => {
    const [command = '', ...rest] = entryPoint.map((part) => part.replace('/app/', `${app}/`));
    return run(command, [...rest, ...args], { cwd: app, env: { HOME: '/nonexistent' }, ...(user !== undefined && { uid: user }) });
  };

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'macrack-image-'));
    chmodSync(directory, 0o755);
    app = join(directory, 'app');
    mkdirSync(app);
    for (const { name, value } of image?.instructions ?? []) {
      if (name === 'COPY') copy(value);
      if (name === 'RUN') expect(await run('bash', ['-c', value], { cwd: app })).toMatchObject({ code: 0 });
    }
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  /** What the stage `build` made is what this checkout has built. */
  function copy(value: string): void {
    const words = value.split(' ').filter((word) => word !== '--from=build');
    const to = words.pop() ?? '';
    for (const from of words.map((word) => word.replace(/^\/app\//, ''))) {
      if (/^\.\/?$/.test(to)) cpSync(join(root, from), join(app, from), { recursive: true });
      else cpSync(join(root, from), join(app, to), { recursive: true, filter: (path) => !path.startsWith(join(root, 'dist', '.test')) });
    }
  }

  it('start and print their help, for a user who owns nothing there', async () => {
    const { code, out, err } = await entry('--help');
    expect([code, err]).toEqual([0, '']);
    for (const command of ['operator', 'agent', 'manifests', 'mac']) expect(out).toMatch(new RegExp(`^  ${command} `, 'm'));
  });

  it('have what the operator reads of the package', async () => {
    expect(existsSync(join(app, 'deploy', 'rbac', 'operator.yaml'))).toBe(true);
    expect(await entry('manifests', '--part', 'rbac')).toMatchObject({ code: 0, err: '', out: expect.stringContaining('macrack-operator') as string });
  });

  it('load the operator with its database, and end with one sentence where its credential is missing', async () => {
    const { code, err } = await entry('operator', '--kubeconfig', '/nonexistent/kubeconfig', '--audit-file', join(tmpdir(), 'audit.sqlite'));
    expect([code, err.trim().split('\n').length]).toEqual([1, 1]);
    expect(err).toMatch(/kubeconfig \/nonexistent\/kubeconfig does not exist/);
  });
});
