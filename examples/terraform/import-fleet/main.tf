# Macs that are leased already, by hand or by another tool, come into a state without a change to any of them.
# Once this is applied the import blocks may go.
terraform {
  required_version = ">= 1.7" # for_each in import blocks

  required_providers {
    macrack = { source = "macrack/macrack" }
  }
}

provider "macrack" {}

variable "namespace" {
  type = string
}

variable "leases" {
  description = "Names of the leases that exist, each with its class."
  type        = map(string)
}

variable "instances" {
  description = "Names of the instances that exist, each with its lease."
  type        = map(string)
}

import {
  for_each = var.leases
  to       = macrack_mac_node_lease.fleet[each.key]
  id       = "${var.namespace}/${each.key}"
}

import {
  for_each = var.instances
  to       = macrack_macos_instance.fleet[each.key]
  id       = "${var.namespace}/${each.key}"
}

resource "macrack_mac_node_lease" "fleet" {
  for_each = var.leases

  name  = each.key
  class = each.value
}

resource "macrack_macos_instance" "fleet" {
  for_each = var.instances

  name  = each.key
  lease = macrack_mac_node_lease.fleet[each.value].id
  image = "ghcr.io/acme/macos-sequoia:15.1"
  shape = { cpu = 4, memory = "8Gi", disk = "100Gi" }
}
