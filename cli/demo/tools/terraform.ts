import { join } from 'node:path';
import { installForDevelopment } from '../../../provider/terraform/install/development-install';
import type { Engine } from '../../terraform/engine';
import { reasonOf, reasons, type Outcome } from '../../terraform/outcome';
import { Workspace } from '../../terraform/workspace';
import { header, instance, lease, ref } from '../configurations';
import { isForeign, type Declared } from '../declared';
import type { Project, Ran, Tool } from '../tool';

function block(declared: Declared): string {
  if (declared.kind === 'lease') {
    const { name, serial, onEarlyRelease } = declared;
    return lease(name, ...(serial === undefined ? [] : [`serial = "${serial}"`]), ...(onEarlyRelease === undefined ? [] : [`on_early_release = "${onEarlyRelease}"`]));
  }
  const { name, namespace } = declared;
  return instance(name, isForeign(declared) ? `"${declared.lease}"` : ref(declared.lease), ...(namespace === undefined ? [] : [`namespace = "${namespace}"`]));
}

/** What a person sees of a run: the engine's lines without its JSON. */
function lines({ events, diagnostics }: Outcome): string[] {
  const shown = new Set(['planned_change', 'change_summary', 'apply_complete']);
  const said = events.filter((e) => shown.has(e.type ?? '')).map((e) => e['@message'] ?? '');
  const words = diagnostics.filter((d) => !d.summary.startsWith('Provider development overrides'));
  return [...said, ...words.map((d) => `${d.severity === 'error' ? 'Error' : 'Warning'}: ${d.summary}\n${d.detail}`)];
}

function ranOf(command: string, run: Outcome): Ran {
  const { args, code, diagnostics, stdout, stderr } = run;
  return {
    typed: [command, ...args.filter((a) => a !== '-json' && a !== '-input=false')].join(' '), args, code, diagnostics, lines: lines(run),
    reasons: (severity) => reasons(run, severity),
    warnings: (reason) => diagnostics.filter((d) => d.severity === 'warning' && reasonOf(d) === reason).length,
    text: diagnostics.map((d) => `${d.summary}\n${d.detail}`).join('\n'), printed: `${stdout}\n${stderr}`,
  };
}

function project(workspace: Workspace, kubeconfig: string, command: string): Project {
  return {
    declare: (...parts) => workspace.write([header(kubeconfig), ...parts.map(block)].join('\n')),
    plan: async () => ranOf(command, await workspace.plan()),
    apply: async () => ranOf(command, await workspace.apply()),
    destroy: async () => ranOf(command, await workspace.destroy()),
  };
}

/** The demo's half with terraform or tofu. */
export function terraform(engine: Engine): Tool {
  return {
    name: 'terraform', engine: `${engine.name === 'tofu' ? 'OpenTofu' : 'Terraform'} ${engine.version}`,
    words: { plan: 'plan', hold: 'on_early_release = "hold"' },
    install(directory) {
      const cliConfig = installForDevelopment(join(directory, 'provider')).configFile;
      return { project: ({ namespace, kubeconfig }, name) => project(new Workspace({ engine, cliConfig, dir: join(directory, namespace, name) }), kubeconfig, engine.name) };
    },
  };
}
