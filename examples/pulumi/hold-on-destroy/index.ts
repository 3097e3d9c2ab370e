import { DedicatedMac } from "macrack/pulumi";

// Once an update has stored it, a destroy before the floor is no longer refused: the lease becomes Held, and its Mac is billed until then.
const mac = new DedicatedMac("nightly", {
  class: "base",
  onEarlyRelease: "hold",
  vms: [{ image: "ghcr.io/acme/macos-sequoia:15.1", shape: { cpu: 8, memory: "16Gi", disk: "200Gi" } }],
});

export const lease = mac.lease.leaseId;
export const billedUntil = mac.lease.earliestReleaseAt;
