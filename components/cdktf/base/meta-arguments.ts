import type { TerraformMetaArguments, TerraformResourceConfig } from 'cdktf';

const META_ARGUMENTS: readonly (keyof TerraformMetaArguments)[] = ['provider', 'dependsOn', 'count', 'lifecycle', 'provisioners', 'connection', 'forEach'];

/** What every resource and data source takes beside its attributes. */
export const metaArgumentNames: readonly string[] = META_ARGUMENTS;

/** The configuration as the library wants it for a type of this provider. */
export function libraryConfig(terraformResourceType: string, config: TerraformMetaArguments): TerraformResourceConfig {
  const written: TerraformMetaArguments = { ...config };
  const given = META_ARGUMENTS.filter((name) => written[name] !== undefined).map((name) => [name, written[name]]);
  return { terraformResourceType, terraformGeneratorMetadata: { providerName: 'macrack' }, ...Object.fromEntries(given) as TerraformMetaArguments };
}
