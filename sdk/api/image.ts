// registry[:port]/path[:tag][@algorithm:digest], after the grammar of the OCI distribution specification; the registry is optional.
const COMPONENT = '[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*';
const DOMAIN = '(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)(?:\\.[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)*(?::[0-9]{1,5})?';

/** An OCI image reference, as text that Go's RE2 reads as well. */
export const IMAGE_PATTERN = new RegExp(`^(?:${DOMAIN}/)?${COMPONENT}(?:/${COMPONENT})*(?::[A-Za-z0-9_][A-Za-z0-9_.-]{0,127})?(?:@[a-z0-9]+(?:[.+_-][a-z0-9]+)*:[0-9a-fA-F]{32,128})?$`);

/** Longest image reference that is accepted. */
export const LONGEST_IMAGE = 500;
