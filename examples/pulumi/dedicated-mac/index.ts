import { DedicatedMac } from "macrack/pulumi";

const shape = { cpu: 4, memory: "8Gi", disk: "100Gi" };

// A third virtual machine does not compile, and is refused in the preview of a JavaScript program.
const mac = new DedicatedMac("ci", {
  class: "base",
  vms: [
    { image: "ghcr.io/acme/macos-sequoia:15.1", shape },
    { image: "ghcr.io/acme/macos-sequoia:15.1", shape },
  ],
});

export const lease = mac.lease.leaseId;
export const serial = mac.lease.chassis;
export const earliestRelease = mac.lease.earliestReleaseAt;
export const machines = mac.instances.map((vm) => vm.machineId);
