import { MacNodeLease, MacOSInstance } from "macrack/pulumi";

// The namespace has a lease of this name already: made with kubectl, by another tool, or by a stack that is lost. Its Mac, its floor and its
// uid stay; a Held one is kept. Without `adopt` the preview refuses, since nobody else's lease is taken by accident.
const lease = new MacNodeLease("ci", { class: "base", adopt: true });

const vm = new MacOSInstance("builder", {
  lease,
  image: "ghcr.io/acme/macos-sequoia:15.1",
  shape: { cpu: 4, memory: "8Gi", disk: "100Gi" },
});

export const uid = lease.uid;
export const serial = lease.chassis;
export const machine = vm.machineId;
