# A fleet: a Mac for each name, with two virtual machines on each.
terraform {
  required_providers {
    macrack = { source = "macrack/macrack" }
  }
}

provider "macrack" {}

variable "macs" {
  description = "Names of the Macs, each with its class. One more entry leases one more Mac for at least 24 hours."
  type        = map(string)
  default     = { ci-a = "base", ci-b = "base", release = "base" }
}

locals {
  machines = merge([for mac, class in var.macs : { for slot in [1, 2] : "${mac}-vm-${slot}" => mac }]...)
}

data "macrack_mac_class" "each" {
  for_each = toset(values(var.macs))
  name     = each.key
}

resource "macrack_mac_node_lease" "mac" {
  for_each = var.macs

  name  = each.key
  class = each.value
}

resource "macrack_macos_instance" "vm" {
  for_each = local.machines

  name  = each.key
  lease = macrack_mac_node_lease.mac[each.value].id
  image = "ghcr.io/acme/macos-sequoia:15.1"

  # Half of what the class has, so that two fit.
  shape = {
    cpu    = data.macrack_mac_class.each[var.macs[each.value]].cpu / 2
    memory = "8Gi"
    disk   = "100Gi"
  }
}

output "macs" {
  value = { for name, lease in macrack_mac_node_lease.mac : name => lease.chassis }
}
