# Fails a check, not the plan, while Macs of the tenant are Held: leased by nobody, and billed until their floor.
# The message is in `terraform show -json` of a plan, where a bot finds it.
terraform {
  required_version = ">= 1.5"

  required_providers {
    macrack = { source = "macrack/macrack" }
  }
}

provider "macrack" {}

check "no_mac_is_held" {
  data "macrack_mac_node_leases" "held" {
    phase = "Held"
  }

  assert {
    condition     = length(data.macrack_mac_node_leases.held.leases) == 0
    error_message = "Held and billed: ${join(", ", [for lease in data.macrack_mac_node_leases.held.leases : "${lease.id} until ${lease.earliest_release_at}"])}."
  }
}

resource "macrack_mac_node_lease" "ci" {
  name  = "ci"
  class = "base"
}

check "the_lease_is_ours" {
  assert {
    condition     = macrack_mac_node_lease.ci.phase != "Held"
    error_message = "Lease ${macrack_mac_node_lease.ci.id} was released outside of this configuration, and is billed until ${macrack_mac_node_lease.ci.earliest_release_at}. `adopt = true` takes it back."
  }
}
