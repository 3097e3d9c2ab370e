import {
  to = macrack_macos_instance.build[0]
  id = "team-a/build-0" # namespace/name
}
