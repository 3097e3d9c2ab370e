import type { TerraformStack } from 'cdktf';
import type { Reason } from '../../sdk/rules/reasons';
import { LIBRARIES, load, type Flavour } from '../cdktf/flavour';
import { refusedBySynth, stackIn, VM } from '../cdktf/stack';
import { describeLayer, notAsked, type Answer, type AskOf } from './table';
import type { Row } from './verdicts';

type Constructs = Flavour['macrack'];

function start(macrack: Constructs, stack: TerraformStack, { existing, starting, lease: of }: AskOf<'start'>): void {
  const { id } = new macrack.MacNodeLease(stack, 'ci', { name: 'ci', class: 'base' });
  const on = of === 'bound' ? 'team-a/ci' : id;
  for (const { name, phase } of existing) new macrack.MacOSInstance(stack, name, { name, lease: on, running: phase !== 'Stopped', ...VM });
  for (const name of starting) new macrack.MacOSInstance(stack, name, { name, lease: on, ...VM });
}

function place(macrack: Constructs, stack: TerraformStack, row: Row, { lease }: AskOf<'place'>): void {
  if (lease !== 'own' && lease !== 'foreign') notAsked(row);
  const owner = lease === 'own' ? 'team-a' : 'team-b';
  const { id } = new macrack.MacNodeLease(stack, 'ci', { name: 'ci', class: 'base', namespace: owner });
  new macrack.MacOSInstance(stack, 'vm', { name: 'vm', namespace: 'team-a', lease: id, ...VM });
}

function shapes(macrack: Constructs, stack: TerraformStack, { fits }: AskOf<'shape'>): void {
  const half = (memory: string) => ({ ...VM, shape: { cpu: 4, memory, disk: '128Gi' } });
  new macrack.DedicatedMac(stack, 'ci', { class: 'base', chassis: { cpu: 8, memory: '16Gi', disk: '256Gi' }, vms: [half('8Gi'), half(fits ? '8192Mi' : '9Gi')] });
}

function newLease(macrack: Constructs, stack: TerraformStack, row: Row, { minimumDuration, serial, name }: AskOf<'new-lease'>): void {
  if (name !== undefined || serial === 'absent') notAsked(row);
  if (serial === 'leased') new macrack.MacNodeLease(stack, 'theirs', { name: 'theirs', class: 'base', namespace: 'team-b', serial: 'C02MAC' });
  new macrack.MacNodeLease(stack, 'ours', { name: 'ours', class: 'base', ...(minimumDuration !== undefined && { minimumDuration }), ...(serial !== undefined && { serial: 'c02mac' }) });
}

/** A synth sees the app alone: what a row has on the server is declared here too, as the app that made it declares it. */
function declare({ macrack }: Flavour, stack: TerraformStack, row: Row): void {
  const { ask } = row;
  switch (ask.kind) {
    case 'start': return start(macrack, stack, ask);
    case 'place': return place(macrack, stack, row, ask);
    case 'shape': return shapes(macrack, stack, ask);
    case 'new-lease': return newLease(macrack, stack, row, ask);
    default: return notAsked(row);
  }
}

describe.each(LIBRARIES)('a synth of %s', (library) => {
  const flavour = load(library);

  describeLayer('cdktf', (row): Answer => {
    const stack = stackIn(flavour);
    declare(flavour, stack, row);
    return refusedBySynth(stack).map((line) => /^\[[^\]]*\] ([A-Za-z]+):/.exec(line)?.[1] as Reason);
  });
});
