# This checkout is a Terraform configuration itself: one leased Mac with two virtual machines. `npm run macrack -- dev` starts a plane for it.
terraform {
  required_providers {
    macrack = { source = "macrack/macrack" }
  }
}

# KUBE_CONFIG_PATH, or KUBECONFIG, names the kubeconfig of the tenant.
provider "macrack" {}

resource "macrack_mac_node_lease" "ci" {
  name  = "ci"
  class = "base"
}

resource "macrack_macos_instance" "ci" {
  for_each = toset(["ci-1", "ci-2"]) # a third one is refused at plan

  name  = each.key
  lease = macrack_mac_node_lease.ci.id
  image = "ghcr.io/acme/macos-sequoia:15.1"
  shape = { cpu = 4, memory = "8Gi", disk = "100Gi" }

  await_ip = true # so that the addresses below are there when it is applied
}

output "machines" {
  value = { for name, vm in macrack_macos_instance.ci : name => vm.ip }
}

output "earliest_release_at" {
  description = "Before this instant a destroy is refused."
  value       = macrack_mac_node_lease.ci.earliest_release_at
}
