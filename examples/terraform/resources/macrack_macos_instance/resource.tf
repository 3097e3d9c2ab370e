resource "macrack_mac_node_lease" "build" {
  name  = "build"
  class = "base"
}

resource "macrack_macos_instance" "build" {
  count = 2 # a third one is refused at plan

  name  = "build-${count.index}"
  lease = macrack_mac_node_lease.build.id
  image = "ghcr.io/acme/macos-sequoia:15.1"
  shape = {
    cpu    = 4
    memory = "8Gi"
    disk   = "100Gi"
  }
}
