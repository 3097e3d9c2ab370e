import { TerraformOutput, TerraformStack } from 'cdktf';
import type { Construct } from 'constructs';
import { DedicatedMac, MacFleet, MacrackProvider } from 'macrack/cdktf';

export interface CiStackProps {
  /** Macs that build, each with two virtual machines. */
  readonly macs: number;
  /** "refuse" or "hold": what a destroy within 24 hours does. It counts from what is deployed. */
  readonly onEarlyRelease: string;
}

/** Macs that run the jobs of a build system, and one to sign releases on. */
export class CiStack extends TerraformStack {
  constructor(scope: Construct, id: string, { macs, onEarlyRelease }: CiStackProps) {
    super(scope, id);
    // The kubeconfig and the namespace are those of $KUBECONFIG.
    new MacrackProvider(this, 'macrack');

    const runner = { image: 'ghcr.io/acme/macos-sequoia:15.1', shape: { cpu: 4, memory: '8Gi', disk: '100Gi' } };
    const fleet = new MacFleet(this, 'runner', { class: 'base', count: macs, onEarlyRelease, vms: [runner, runner] });

    const signing = new DedicatedMac(this, 'signing', {
      class: 'base',
      onEarlyRelease,
      vms: [{ ...runner, name: 'signer', shape: { cpu: 8, memory: '16Gi', disk: '200Gi' } }],
    });

    new TerraformOutput(this, 'earliest-release', {
      value: [...fleet.macs, signing].map(({ lease }) => lease.earliestReleaseAt),
      staticId: true,
    });
  }
}
