# Needs Terraform 1.8, or OpenTofu 1.7.
output "tenant" {
  value = provider::macrack::parse_lease_id("team-a/ci").namespace
}
