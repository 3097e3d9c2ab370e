import { join } from 'node:path';
import type { Engine } from '../../pulumi/engine';
import { installMacrack } from '../../pulumi/install';
import { reasonOf, reasons, type Diagnostic, type Outcome } from '../../pulumi/outcome';
import { Workspace } from '../../pulumi/workspace';
import type { Project, Ran, Tool } from '../tool';
import { programOf } from './pulumi-program';

const nameOf = (urn: string): string => urn.slice(urn.lastIndexOf('::') + 2);

const isOurs = (urn: string): boolean => urn.includes('macrack:');

// The engine says of each refusal once more, at the stack, that there was one.
const isTold = ({ severity, message }: Diagnostic): boolean => (severity === 'error' || severity === 'warning') && !/^(preview|update|destroy) failed$/.test(message);

/** A refusal is said twice of one resource: when the program declares it, and by the check that fails. A reader needs it once. */
function oncePerResource(told: readonly Diagnostic[]): readonly Diagnostic[] {
  return told.filter(({ severity, urn }, at) => severity !== 'error' || urn === undefined || told.findIndex((other) => other.severity === severity && other.urn === urn) === at);
}

function said({ severity, urn, message }: Diagnostic): string {
  const at = urn !== undefined && isOurs(urn) ? ` at ${nameOf(urn)}` : '';
  return `${severity}${at}: ${message}`;
}

function ranOf(run: Outcome): Ran {
  const { args, code, diagnostics, steps, stdout, stderr } = run;
  const told = diagnostics.filter(isTold);
  const unasked = args.indexOf('--stack');
  return {
    typed: ['pulumi', ...args.slice(0, unasked === -1 ? undefined : unasked).filter((a) => a !== '--json')].join(' '), args, code, diagnostics: told,
    reasons: (severity) => reasons(run, severity),
    warnings: (reason) => told.filter((d) => d.severity === 'warning' && reasonOf(d) === reason).length,
    text: told.map(({ message }) => message).join('\n'), printed: `${stdout}\n${stderr}\n${JSON.stringify(diagnostics)}`,
    lines: [...steps.filter(({ op, urn }) => op !== 'same' && isOurs(urn)).map(({ op, urn }) => `${nameOf(urn)}: ${op}`), ...oncePerResource(told).map(said)],
  };
}

function project(workspace: Workspace): Project {
  return {
    declare: (...parts) => void workspace.write(programOf(parts)),
    plan: async () => ranOf(await workspace.preview()),
    apply: async () => ranOf(await workspace.up()),
    destroy: async () => ranOf(await workspace.destroy()),
  };
}

/** The demo's half with pulumi. */
export function pulumi(engine: Engine): Tool {
  return {
    name: 'pulumi', engine: `Pulumi ${engine.version}`,
    words: { plan: 'preview', hold: 'onEarlyRelease: "hold"' },
    install(directory) {
      installMacrack(directory);
      return {
        project: ({ namespace, kubeconfig }, name) =>
          project(new Workspace({ engine, dir: join(directory, namespace, name), project: name, home: join(directory, 'home'), config: { 'macrack:kubeconfig': kubeconfig } })),
      };
    },
  };
}
