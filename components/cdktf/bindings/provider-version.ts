// Generated from the provider's schema by components/emit; do not edit.

/** Versions of the provider that the bindings are for, as Terraform writes a constraint. */
export const PROVIDER_VERSION = '~> 0.1.0';
