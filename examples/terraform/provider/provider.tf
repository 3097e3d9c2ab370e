terraform {
  required_providers {
    macrack = {
      source = "macrack/macrack"
    }
  }
}

provider "macrack" {
  config_path    = "~/.kube/config"
  config_context = "team-a"
}

# The same with a program that prints credentials, as for the Kubernetes provider.
provider "macrack" {
  alias                  = "cloud"
  host                   = "https://kubernetes.example.com"
  cluster_ca_certificate = file("ca.pem")
  namespace              = "team-a"

  exec {
    api_version = "client.authentication.k8s.io/v1"
    command     = "aws"
    args        = ["eks", "get-token", "--cluster-name", "macs"]
  }
}
