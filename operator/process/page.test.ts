import { readFileSync } from 'node:fs';
import { Fault } from './checks/finding';
import { OperatorMetrics } from './metrics/metrics';
import { packageFile } from './package-files';

const page = readFileSync(packageFile('docs', 'operator.md'), 'utf8');

it('the page of the operator names every reason of a check', () => {
  expect(Object.values(Fault).filter((fault) => !page.includes(`\`${fault}\``))).toEqual([]);
});

it('the page of the operator names every metric of ours, and none that there is not', async () => {
  const metrics = new OperatorMetrics(() => ({
    classes: [], waiting: 0, leads: true, tamperProof: true, clockSkewSeconds: 0, clockAgeSeconds: 0, auditWritable: true, certificateExpiry: 1, caExpiry: 1, clientCertificateExpiry: 1, checks: [],
  }));
  const names = [...(await metrics.text()).text.matchAll(/^# HELP (macrack_\w+)/gm)].map(([, name]) => name ?? '');
  const named = [...page.matchAll(/`(macrack_\w+)/g)].map(([, name]) => name ?? '');
  expect([...new Set(named)].sort()).toEqual(names.sort());
});
