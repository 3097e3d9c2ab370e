import { execFile } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { reasons } from '../../../cli/pulumi/outcome';
import { end } from '../../../cli/pulumi/process-tree';
import { worked, type Workspace } from '../../../cli/pulumi/workspace';
import { isAlive } from '../../../realplane/processes';
import { until } from '../../../sdk/client/until';
import { actions, nameOf, PulumiProject } from './pulumi-project';
import { describePulumiPrograms } from './programs';
import { AUTOMATION, guardedToy, toy, typedToy } from './toy';

const server = ({ dir }: Workspace): string[] => (existsSync(join(dir, 'server')) ? readdirSync(join(dir, 'server')).sort() : []);
const allow = ({ dir }: Workspace): void => writeFileSync(join(dir, 'may-go'), '');

describePulumiPrograms('the engine that the suites drive', (suite) => {
  describe('a program', () => {
    it('is created by up, is stable in the next preview, and is read back from the state; the engine says nothing of where its parts lie', async () => {
      const workspace = suite().workspace('stable').write(toy('new Box("a", { size: 1 }); new Box("b", { size: 2 });'));
      const first = worked(await workspace.preview());
      expect(actions(first)).toEqual({ a: 'create', b: 'create' });
      const run = worked(await workspace.up());
      expect([actions(run), server(workspace)]).toEqual([{ a: 'create', b: 'create' }, ['a', 'b']]);
      const second = worked(await workspace.preview('--expect-no-changes'));
      expect([actions(second), second.changeSummary]).toEqual([{}, { same: 3 }]);
      expect([first, run, second].map(({ diagnostics, stderr }) => [diagnostics, stderr])).toEqual(Array(3).fill([[], '']));
      const { a } = await new PulumiProject(workspace).state();
      expect(a).toMatchObject({ type: 'pulumi-nodejs:dynamic/toy:Box', id: 'a', inputs: { size: 1 }, outputs: { size: 1 } });
    });

    it('runs with the locked Node', async () => {
      const workspace = suite().workspace('node').write('exports.node = process.version;');
      worked(await workspace.upWithoutPreview());
      const { stdout } = await workspace.must('stack', 'output', '--json');
      expect(JSON.parse(stdout)).toEqual({ node: process.version });
    });

    it('reads plain and secret configuration; the secret is in no output', async () => {
      const workspace = suite().workspace('configured', { 'toy:plain': 'p: "1"' })
        .write('const pulumi = require("@pulumi/pulumi"); const c = new pulumi.Config("toy"); exports.both = pulumi.unsecret(c.getSecret("hidden")).apply((h) => [c.get("plain"), h.length]);');
      await workspace.configure({}, { 'toy:hidden': 'a=b' });
      const preview = worked(await workspace.preview());
      expect(preview.stdout).not.toContain('a=b');
      worked(await workspace.upWithoutPreview());
      expect(JSON.parse((await workspace.must('stack', 'output', '--json')).stdout)).toEqual({ both: ['p: "1"', 3] });
    });

    it('that throws ends a preview with 1 and its message', async () => {
      const run = await suite().workspace('throws').write('const e = new Error("no such plan"); e.stack = e.message; throw e;').preview();
      expect(run.code).toBe(1);
      expect(run.diagnostics.filter(({ severity }) => severity === 'error').map(({ message }) => message).join()).toContain('no such plan');
    });
  });

  describe('a refusal by check', () => {
    it.each([
      ['preview --json', (w: Workspace) => w.preview()],
      ['preview', (w: Workspace) => w.previewText()],
      ['up', (w: Workspace) => w.up()],
      ['up --skip-preview', (w: Workspace) => w.upWithoutPreview()],
    ] as const)('ends %s with 1, bound to its resource, before anything is made', async (name, run) => {
      const workspace = suite().workspace(`refused/${name.replaceAll(/\W/g, '')}`).write(toy('new Box("large", { size: 4 });'));
      const ran = await run(workspace);
      expect([ran.code, reasons(ran, 'error'), server(workspace)]).toEqual([1, ['TooLarge'], []]);
      const [error] = ran.diagnostics.filter(({ urn }) => urn !== undefined && urn !== '');
      expect(error).toMatchObject({ severity: 'error', message: "pulumi-nodejs:dynamic/toy:Box resource 'large' has a problem: TooLarge: size 4 is above three." });
      expect(error?.urn).toMatch(/::pulumi-nodejs:dynamic\/toy:Box::large$/);
    });
  });

  describe('a hook before deletions', () => {
    async function guarded(name: string): Promise<Workspace> {
      const workspace = suite().workspace(name).write(guardedToy('new Box("kept", { size: 1 }, { hooks: { beforeDelete: [guard] } });'));
      worked(await workspace.upWithoutPreview());
      return workspace;
    }

    it('refuses a removal in preview and in up, and lets it pass later', async () => {
      const workspace = (await guarded('removed')).write(guardedToy(''));
      for (const run of [await workspace.preview(), await workspace.upWithoutPreview()]) {
        expect([run.code, reasons(run, 'error'), server(workspace)]).toEqual([1, ['StillNeeded'], ['kept']]);
        expect(run.diagnostics.find(({ message }) => message.includes('StillNeeded'))?.urn).toMatch(/toy:Box::kept$/);
      }
      allow(workspace);
      expect(actions(worked(await workspace.up()))).toEqual({ kept: 'delete' });
      expect(server(workspace)).toEqual([]);
    });

    it('refuses destroy with the program; without the program the engine refuses by itself', async () => {
      const workspace = await guarded('destroyed');
      const [plain, guardedRun] = [await workspace.destroyWithoutProgram(), await workspace.destroy()];
      expect([plain.code, guardedRun.code, reasons(guardedRun, 'error'), server(workspace)]).toEqual([1, 1, ['StillNeeded'], ['kept']]);
      allow(workspace);
      worked(await workspace.destroy());
      expect(server(workspace)).toEqual([]);
      worked(await workspace.stackRm());
    });
  });

  describe('a typed program', () => {
    it('runs, and a wrong type is an error of the preview', async () => {
      const workspace = suite().workspace('typed').write({ 'index.ts': typedToy('1') });
      worked(await workspace.upWithoutPreview());
      expect(JSON.parse((await workspace.must('stack', 'output', '--json')).stdout)).toEqual({ size: 1 });
      const wrong = await workspace.write({ 'index.ts': typedToy('"one"') }).preview();
      expect(wrong.code).toBe(1);
      expect(wrong.diagnostics.map(({ message }) => message).join()).toMatch(/index\.ts.*TS2322/s);
    });
  });

  describe('a killed engine', () => {
    it('leaves no language host and no program behind; after cancel the stack goes on', async () => {
      const workspace = suite().workspace('killed').write(toy('new Box("slow", { size: 1, slow: true });'));
      const started = await workspace.start('up', '--yes', '--skip-preview');
      await until('the box is being made', () => Promise.resolve(server(workspace).length > 0 ? true : undefined));
      const parts = started.processes();
      const isProvider = ({ command }: { readonly command: string }): boolean => command.includes('dynamic-provider') || command.includes('pulumi-resource-');
      const ours = parts.filter((part) => !isProvider(part));
      expect(ours.map(({ command }) => command).join('\n')).toMatch(/language-(host|nodejs)[^]*cmd.run/);
      started.child.kill('SIGKILL');
      expect((await started.done).code).toBe(137);
      await until('hosts and programs of the killed engine are gone', () => Promise.resolve(ours.some(({ pid }) => isAlive(pid)) ? undefined : true));
      for (const { pid } of parts.filter(isProvider)) end(pid);

      const locked = await workspace.upWithoutPreview();
      expect([locked.code, locked.diagnostics.map(({ message }) => message).join()]).toEqual([1, expect.stringContaining('locked by 1 lock')]);
      worked(await workspace.cancel());
      expect((await workspace.exportState()).deployment.pending_operations?.map(({ type, resource }) => [type, nameOf(resource.urn)])).toEqual([['creating', 'slow']]);
      writeFileSync(join(workspace.dir, 'go-on'), '');
      worked(await workspace.upWithoutPreview());
      worked(await workspace.preview('--expect-no-changes'));
    });
  });

  describe('a program of the Automation API', () => {
    it('runs inline, without a language host, and is refused like any other', async () => {
      const workspace = suite().workspace('inline').write({ 'automation.js': AUTOMATION });
      const run = async (size: number): Promise<{ readonly changeSummary?: Record<string, number>; readonly processes?: string; readonly refused?: string }> => {
        const { stdout } = await promisify(execFile)('node', ['automation.js'], { cwd: workspace.dir, env: { ...workspace.env, SIZE: String(size) } });
        return JSON.parse(stdout) as Awaited<ReturnType<typeof run>>;
      };
      const { changeSummary, processes } = await run(1);
      expect(changeSummary).toEqual({ create: 2 });
      expect(processes).toMatch(/pulumi preview/);
      expect(processes).not.toMatch(/language-(host|nodejs)/);
      expect((await run(4)).refused).toContain('TooLarge: size 4 is above three.');
    });
  });
});
