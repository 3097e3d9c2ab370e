#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { Command, InvalidArgumentError, Option } from 'commander';
import { packagePath } from '../devplane/package-files';
import { addAuditCommands } from './audit/command';
import { addCredentialCommand } from './credential/command';
import { addAgentCommand } from './agent-command';
import { className, macCount, portNumber, type DevOptions } from './dev-options';
import { addMacCommands } from './mac/command';
import { addManifestsCommand } from './manifests/command';
import { addOperatorCommand } from './operator-command';
import { addProviderCommand } from './provider-command';

/** Turns a RangeError of an option parser into commander's own error, which names the option and exits 1. */
function option<T>(parse: (text: string) => T): (text: string) => T {
  return (text) => {
    try {
      return parse(text);
    } catch (error) {
      if (error instanceof RangeError) throw new InvalidArgumentError(error.message);
      throw error;
    }
  };
}

const ownVersion = (): string => (JSON.parse(readFileSync(packagePath('package.json'), 'utf8')) as { version: string }).version;

// Commands are loaded when they run: help and errors need none of them.
async function main(): Promise<void> {
  const program = new Command('macrack').description("Leases whole Macs as code, inside Apple's licence.").showHelpAfterError();
  program.version(ownVersion(), '--version', 'print the version');
  // Options after the name of a command are its own, also where the command above it has one of that name.
  program.enablePositionalOptions();
  program.command('dev')
    .description('run a development plane with simulated Macs until interrupted (no compliance claim)')
    .option('--macs <n>', 'number of simulated Macs', option(macCount), 3)
    .option('--class <class>', 'class of the simulated Macs: base, pro or studio', option(className), 'base')
    .option('--port <port>', 'port on 127.0.0.1; 0 takes any free one', option(portNumber), 0)
    .option('--dir <dir>', 'where kubeconfigs, logs and the audit record go', '.macrack-dev')
    .option('--data-dir <dir>', 'in place of --dir: keep everything here, so that a later start goes on where this one ended, also after a crash')
    .addOption(new Option('--real', 'on Kubernetes itself: etcd, kube-apiserver, scheduler and controller manager').conflicts(['port', 'dataDir']))
    .option('--kubernetes-bin <dir>', 'with --real: directory of these four and kubectl (default: built once with Go, in minutes)')
    .action(async ({ real, kubernetesBin, ...options }: DevOptions & { real?: true; kubernetesBin?: string }) => {
      if (real !== true && kubernetesBin !== undefined) throw new Error('dev: --kubernetes-bin goes with --real');
      process.exitCode = real === true
        ? await (await import('./dev-real.js')).devReal({ ...options, ...(kubernetesBin !== undefined && { kubernetesBin }) })
        : await (await import('./dev.js')).dev(options);
    });
  program.command('demo')
    .description('drive real terraform (or tofu) and real pulumi through leasing, refusals, Held and release, each on a plane of its own')
    .addOption(new Option('--terraform', 'only with terraform or tofu').conflicts('pulumi'))
    .option('--pulumi', 'only with pulumi, which is built with Go where it is not there (default: each of both that there is)')
    .option('--json', 'print one JSON document a line, for programs')
    .action(async ({ json = false, terraform, pulumi }: { json?: boolean; terraform?: true; pulumi?: true }) => {
      const { demo } = await import('./demo/demo.js');
      process.exitCode = await demo({ json, ...(terraform === true ? { tool: 'terraform' } : pulumi === true ? { tool: 'pulumi' } : {}) });
    });
  addOperatorCommand(program, option);
  addAgentCommand(program, option);
  addMacCommands(program, option);
  addManifestsCommand(program);
  addCredentialCommand(program, option);
  addAuditCommands(program, option);
  addProviderCommand(program);
  await program.parseAsync();
}

// Whoever reads only the head of an answer has had what they wanted.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

main().catch((error: unknown) => {
  process.stderr.write(`macrack: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
