import type { Finding, Findings } from '../../core/finding';
import type { Walk } from '../../core/run';
import type { AttributePath, Diagnostic, Diagnostics } from '../diagnostics';

const TYPES = { lease: 'macrack_mac_node_lease', instance: 'macrack_macos_instance' } as const;

const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** A path of the core (`shape.memory`, `awaitIp`) as the attributes are called here. */
export function attributePath(path: string): AttributePath {
  return path === '' ? [] : path.split('.').map(snake);
}

/** Inputs that are called otherwise here. A dot before one makes it a field of the object on the control plane, as kubectl shows it. */
const INPUTS = /(?<![\w.])(minimumDuration|onEarlyRelease|awaitIp)(?!\w)/g;

/** A text of the core or of the control plane, with inputs called as a user writes them here. */
const inTerraform = (text: string): string => text.replaceAll(INPUTS, snake);

function importBlock({ adoptable }: Finding): string {
  if (adoptable === undefined) return '';
  const { kind, id } = adoptable;
  return `\n\nTo take it into this state, add this block ("to" is the address that this message names), and plan again:\n\nimport {\n  to = ${TYPES[kind]}.${id.slice(id.indexOf('/') + 1).replaceAll('-', '_')}\n  id = ${JSON.stringify(id)}\n}`;
}

// A destroy plans the whole configuration first, and stops where that is refused: also a destroy that is run again after it was interrupted.
const STOPS_DESTROY: ReadonlySet<string> = new Set(['ThirdInstance', 'ShapeTooLarge', 'LeaseNotBound', 'NameHeld', 'AlreadyExists']);
const DESTROY_HINT = ' A `terraform destroy` plans this configuration first and stops at the same error; `terraform destroy -refresh=false` does not.';

export function toDiagnostic(finding: Finding): Diagnostic {
  const { severity, reason, title, detail, path } = finding;
  const hint = severity === 'error' && STOPS_DESTROY.has(reason) ? DESTROY_HINT : '';
  return { severity, summary: `${reason}: ${inTerraform(title)}`, detail: `${inTerraform(detail)}${hint}${importBlock(finding)}`, path: attributePath(path) };
}

export function toDiagnostics(findings: Findings): Diagnostics {
  return findings.map(toDiagnostic);
}

/** What a plan call says. One that is made while Terraform applies repeats no warning: the preview has said it. */
export function planDiagnostics(findings: Findings, walk: Walk): Diagnostics {
  return toDiagnostics(walk === 'apply' ? findings.filter(({ severity }) => severity === 'error') : findings);
}

/** Adds what Terraform does by itself: a create that fails with an object in hand leaves it tainted. */
export function taintedDiagnostics(findings: Findings): Diagnostics {
  return toDiagnostics(findings).map((diagnostic) => (diagnostic.severity === 'error'
    ? { ...diagnostic, detail: `${diagnostic.detail} Terraform marks it as tainted, and would replace it. To keep it, run \`terraform untaint ADDRESS\` with the address that this message names.` }
    : diagnostic));
}

const CREATED_FIRST = ' If this resource has `create_before_destroy`, remove that: a Mac and its slots cannot be had twice, so a replacement is always delete first.';

/** Adds why a create of an apply may meet its own predecessor. */
export function createDiagnostics(findings: Findings): Diagnostics {
  return toDiagnostics(findings.map((finding) => (finding.reason === 'AlreadyExists' ? { ...finding, detail: `${finding.detail}${CREATED_FIRST}` } : finding)));
}

/** Adds how a replacement that nobody wrote is called off. */
export function replacementDiagnostics(findings: Findings, walk: Walk): Diagnostics {
  return planDiagnostics(findings, walk).map((diagnostic) => (diagnostic.summary.startsWith('EarlyRelease:')
    ? { ...diagnostic, detail: `${diagnostic.detail} If it is tainted, \`terraform untaint ADDRESS\` with the address that this message names keeps it.` }
    : diagnostic));
}
