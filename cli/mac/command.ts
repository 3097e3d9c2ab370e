import { type Command, Option } from 'commander';
import { className } from '../dev-options';
import { serverUrl } from '../server-url';
import type { AccessOptions } from './access';
import type { EnrolOptions } from './enrol';
import { hardwareUUID, serialNumber } from './identity';

type Parsed = <T>(parse: (text: string) => T) => (text: string) => T;

function withAccess(command: Command): Command {
  return command
    .option('--kubeconfig <file>', "the administrator's kubeconfig (default: as kubectl finds it)")
    .option('--context <name>', 'context of that kubeconfig (default: its current one)')
    .addOption(new Option('-o, --output <format>', 'print one document for programs').choices(['json']));
}

function addEnrol(mac: Command, option: Parsed): void {
  withAccess(mac.command('enrol').argument('<serial>', 'serial number of the Mac', option(serialNumber)))
    .description('enrol a Mac, or enrol it again, and print the bootstrap kubeconfig of its agent: a secret, good for an hour')
    .option('--class <class>', 'base, pro or studio; needed at the first enrolment', option(className))
    .option('--hardware-uuid <uuid>', 'as `macrack agent hardware` prints it on the Mac; needed at the first enrolment', option(hardwareUUID))
    .option('--replace-hardware', 'allow another hardware UUID under the same serial: its logic board was changed')
    .option('--server <url>', "URL of the API server for the Mac (default: the administrator's)", option(serverUrl))
    .option('--out <file>', 'write the kubeconfig to this file, which only you may read (default: standard output)')
    .action(async (serial: string, options: EnrolOptions) => {
      const { enrol } = await import('./enrol.js');
      await enrol(serial, options);
    });
}

function addCordon(mac: Command, option: Parsed): void {
  for (const [name, cordoned, what] of [['cordon', true, 'keep a Mac from its next lease; the present one goes on, with its restarts'], ['uncordon', false, 'let a Mac have leases again']] as const) {
    withAccess(mac.command(name).argument('<serial>', 'serial number of the Mac', option(serialNumber))).description(what)
      .action(async (serial: string, options: AccessOptions) => {
        const { cordon } = await import('./cordon.js');
        await cordon(serial, cordoned, options);
      });
  }
}

function addRetire(mac: Command, option: Parsed): void {
  withAccess(mac.command('retire').argument('<serial>', 'serial number of the Mac', option(serialNumber)))
    .description('take a Mac out of service; for one that will not answer any more, this counts as the wipe of its disks')
    .action(async (serial: string, options: AccessOptions) => {
      const { retire } = await import('./retire.js');
      await retire(serial, options);
    });
}

function addReports(mac: Command): void {
  withAccess(mac.command('list')).description('list every enrolled Mac, with its state and its lease').action(async (options: AccessOptions) => {
    const { list } = await import('./list.js');
    await list(options);
  });
  withAccess(mac.command('orphans')).description('list claims without a lease, machines without a claim and Macs without an agent; exit status 2 when there are any').action(async (options: AccessOptions) => {
    const { orphans } = await import('./orphans.js');
    process.exitCode = await orphans(options);
  });
}

/** `macrack mac …`: the fleet, for its administrator. */
export function addMacCommands(program: Command, option: Parsed): void {
  const mac = program.command('mac').description('enrol, cordon, retire and list the Macs of the fleet, and find orphans');
  addEnrol(mac, option);
  addCordon(mac, option);
  addRetire(mac, option);
  addReports(mac);
}
