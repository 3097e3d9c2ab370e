import * as pulumi from "@pulumi/pulumi";
import { MacFleet, type Vm } from "macrack/pulumi";

const config = new pulumi.Config();

// A new image replaces each runner in its slot; the leases stay.
const runner = (name: string): Vm => ({
  name,
  image: config.get("image") ?? "ghcr.io/acme/ci-runner:15.1",
  shape: { cpu: 4, memory: "8Gi", disk: "100Gi" },
  awaitIp: true,
});

// A larger count leases more Macs. A smaller one gives up the last, which is refused before the floor of its lease.
const fleet = new MacFleet("ci", {
  class: "base",
  count: config.getNumber("macs") ?? 2,
  vms: (mac) => [runner(`runner-${2 * mac}`), runner(`runner-${2 * mac + 1}`)],
});

export const leases = fleet.macs.map(({ lease }) => lease.leaseId);
export const runners = pulumi.all(fleet.macs.flatMap(({ instances }) => instances.map((vm) => pulumi.all([vm.name, vm.ip])))).apply(Object.fromEntries);
