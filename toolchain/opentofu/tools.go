//go:build tools

// Package tools requires the command that build.cjs builds.
package tools

import _ "github.com/opentofu/opentofu/cmd/tofu"
