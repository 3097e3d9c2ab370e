import { TerraformProvider } from 'cdktf';
import type { Construct } from 'constructs';
import { PROVIDER_VERSION } from '../bindings/provider-version';
import { judgeUnlessJudged, watchElement } from '../rules/watch';
import type { AttributeTable } from './attributes';
import { Inputs } from './inputs';
import { refuseOtherLibrary } from './library';
import { renderHcl, renderJson } from './render';

/** Without a host, so that terraform and tofu each look in their own registry or mirror. */
const SOURCE = 'macrack/macrack';

/** The provider itself: renders what is set, and is judged before it is synthesised. */
export abstract class MacrackProviderBase<C extends { readonly alias?: string }> extends TerraformProvider {
  protected readonly inputs: Inputs<C>;

  protected constructor(scope: Construct, id: string, table: AttributeTable, config: C) {
    refuseOtherLibrary(scope, id);
    super(scope, id, { terraformResourceType: 'macrack', terraformGeneratorMetadata: { providerName: 'macrack', providerVersionConstraint: PROVIDER_VERSION }, terraformProviderSource: SOURCE });
    this.inputs = new Inputs(table, config, ['alias']);
    watchElement(this, this.inputs);
  }

  override get alias(): string | undefined {
    return this.inputs.get('alias');
  }

  override set alias(value: string | undefined) {
    this.inputs.put('alias', value);
  }

  resetAlias(): void {
    this.inputs.put('alias', undefined);
  }

  get aliasInput(): string | undefined {
    return this.inputs.get('alias');
  }

  override toTerraform(): object {
    judgeUnlessJudged(this);
    return super.toTerraform() as object;
  }

  override toHclTerraform(): object {
    judgeUnlessJudged(this);
    return super.toHclTerraform() as object;
  }

  protected override synthesizeAttributes(): Record<string, unknown> {
    return renderJson(this.inputs.table, this.inputs.written);
  }

  protected override synthesizeHclAttributes(): Record<string, unknown> {
    return renderHcl(this.inputs.table, this.inputs.written);
  }
}
