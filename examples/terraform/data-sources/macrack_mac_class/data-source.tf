data "macrack_mac_class" "pro" {
  name = "pro"
}

output "pro_macs" {
  value = {
    free            = data.macrack_mac_class.pro.unleased
    next_release_at = data.macrack_mac_class.pro.next_release_at
  }
}
