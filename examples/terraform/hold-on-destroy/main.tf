# A Mac that may be given up at any time: once this is applied, a destroy before the floor leaves the lease Held, and billed, until then.
terraform {
  required_providers {
    macrack = { source = "macrack/macrack" }
  }
}

provider "macrack" {}

resource "macrack_mac_node_lease" "nightly" {
  name             = "nightly"
  class            = "base"
  on_early_release = "hold" # counts from what is applied, so apply it before the destroy
}

resource "macrack_macos_instance" "nightly" {
  name  = "nightly-1"
  lease = macrack_mac_node_lease.nightly.id
  image = "ghcr.io/acme/macos-sequoia:15.1"
  shape = { cpu = 8, memory = "16Gi", disk = "200Gi" }
}

output "billed_until" {
  value = macrack_mac_node_lease.nightly.earliest_release_at
}
