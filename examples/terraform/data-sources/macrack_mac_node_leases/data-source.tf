# What is billed although nobody uses it.
data "macrack_mac_node_leases" "held" {
  phase = "Held"
}

output "held" {
  value = { for lease in data.macrack_mac_node_leases.held.leases : lease.id => lease.earliest_release_at }
}
