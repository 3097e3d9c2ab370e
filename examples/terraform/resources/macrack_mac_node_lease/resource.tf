resource "macrack_mac_node_lease" "ci" {
  name  = "ci"
  class = "base"
}

# A certain Mac, for two days at least. A destroy before that leaves it Held, and billed.
resource "macrack_mac_node_lease" "release" {
  name             = "release"
  class            = "pro"
  serial           = "C02PRO01"
  minimum_duration = "48h"
  on_early_release = "hold"
}
