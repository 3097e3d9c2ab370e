data "macrack_mac_node_lease" "ci" {
  name = "ci"
}

output "ci_earliest_release_at" {
  value = data.macrack_mac_node_lease.ci.earliest_release_at
}
