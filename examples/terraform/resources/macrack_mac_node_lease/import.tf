import {
  to = macrack_mac_node_lease.ci
  id = "team-a/ci" # namespace/name
}
