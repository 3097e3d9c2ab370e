import type { TerraformStack } from 'cdktf';
import type { Reason } from '../../sdk/rules/reasons';
import { load, type Flavour } from '../cdktf/flavour';
import { refusedBySynth, stackIn, VM } from '../cdktf/stack';
import { describeLayer, notAsked, type Answer, type AskOf } from './table';
import type { Row } from './verdicts';

/** A synth sees the app alone: what a row has on the server is declared here too, as the app that made it declares it. */
const flavour: Flavour = load('cdktf');
const { macrack } = flavour;

function start(stack: TerraformStack, { existing, starting, lease: of }: AskOf<'start'>): void {
  const { id } = new macrack.MacNodeLease(stack, 'ci', { name: 'ci', class: 'base' });
  const on = of === 'bound' ? 'team-a/ci' : id;
  for (const { name, phase } of existing) new macrack.MacOSInstance(stack, name, { name, lease: on, running: phase !== 'Stopped', ...VM });
  for (const name of starting) new macrack.MacOSInstance(stack, name, { name, lease: on, ...VM });
}

function place(stack: TerraformStack, row: Row, { lease }: AskOf<'place'>): void {
  if (lease !== 'own' && lease !== 'foreign') notAsked(row);
  const owner = lease === 'own' ? 'team-a' : 'team-b';
  const { id } = new macrack.MacNodeLease(stack, 'ci', { name: 'ci', class: 'base', namespace: owner });
  new macrack.MacOSInstance(stack, 'vm', { name: 'vm', namespace: 'team-a', lease: id, ...VM });
}

function shapes(stack: TerraformStack, { fits }: AskOf<'shape'>): void {
  const half = (memory: string) => ({ ...VM, shape: { cpu: 4, memory, disk: '128Gi' } });
  new macrack.DedicatedMac(stack, 'ci', { class: 'base', chassis: { cpu: 8, memory: '16Gi', disk: '256Gi' }, vms: [half('8Gi'), half(fits ? '8192Mi' : '9Gi')] });
}

function newLease(stack: TerraformStack, row: Row, { minimumDuration, serial, name }: AskOf<'new-lease'>): void {
  if (name !== undefined || serial === 'absent') notAsked(row);
  if (serial === 'leased') new macrack.MacNodeLease(stack, 'theirs', { name: 'theirs', class: 'base', namespace: 'team-b', serial: 'C02MAC' });
  new macrack.MacNodeLease(stack, 'ours', { name: 'ours', class: 'base', ...(minimumDuration !== undefined && { minimumDuration }), ...(serial !== undefined && { serial: 'c02mac' }) });
}

function declare(stack: TerraformStack, row: Row): void {
  const { ask } = row;
  switch (ask.kind) {
    case 'start': return start(stack, ask);
    case 'place': return place(stack, row, ask);
    case 'shape': return shapes(stack, ask);
    case 'new-lease': return newLease(stack, row, ask);
    default: return notAsked(row);
  }
}

describeLayer('cdktf', (row): Answer => {
  const stack = stackIn(flavour);
  declare(stack, row);
  return refusedBySynth(stack).map((line) => /^\[[^\]]*\] ([A-Za-z]+):/.exec(line)?.[1] as Reason);
});
