import { type Command, Option } from 'commander';
import { wholeNumber } from '../dev-options';
import { auditType, instantOf } from './options';
import type { ProveOptions } from './prove';
import type { RowsOptions } from './rows';

type Parsed = <T>(parse: (text: string) => T) => (text: string) => T;

const DAYS = 90;
const MOST_DAYS = 3650;

const withFile = (command: Command): Command => command.requiredOption('--file <file>', 'the record: --audit-file of the operator, audit.sqlite of a development plane, or a copy');

/** `macrack audit prove` and `macrack audit rows` */
export function addAuditCommands(program: Command, option: Parsed): void {
  const audit = program.command('audit').description('read the audit record; nothing is written');
  withFile(audit.command('prove'))
    .description('did any Mac run two tenants or three virtual machines? Exit status 0: proven that none did; 3: violated; 4: not covered in full')
    .option('--days <n>', 'length of the period', option((text) => wholeNumber('--days', text, 1, MOST_DAYS)), DAYS)
    .option('--to <instant>', 'its end, RFC 3339 (default: two minutes before the newest report in the record, which stores one a minute)', option(instantOf))
    .addOption(new Option('-o, --output <format>', 'print one document for programs').choices(['json']))
    .action(async (options: ProveOptions) => {
      const { prove } = await import('./prove.js');
      process.exitCode = await prove(options);
    });
  withFile(audit.command('rows'))
    .description('print rows of the record as JSON, one a line, oldest first')
    .option('--serial <serial>', 'those of one Mac')
    .option('--lease <uid>', 'those of the lease with this metadata.uid')
    .option('--type <type>', 'those of one type, such as "Claim stuck"', option(auditType))
    .action(async (options: RowsOptions) => {
      const { rows } = await import('./rows.js');
      await rows(options);
    });
}
