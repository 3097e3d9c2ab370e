import { TerraformDataSource, type TerraformMetaArguments } from 'cdktf';
import type { Construct } from 'constructs';
import { judgeUnlessJudged, watchElement } from '../rules/watch';
import type { AttributeTable } from './attributes';
import { Inputs } from './inputs';
import { refuseOtherLibrary } from './library';
import { libraryConfig, metaArgumentNames } from './meta-arguments';
import { renderHcl, renderJson } from './render';

/** A data source of the provider: renders what is set, and is judged before it is synthesised. */
export abstract class MacrackDataSource<C extends TerraformMetaArguments> extends TerraformDataSource {
  protected readonly inputs: Inputs<C>;

  protected constructor(scope: Construct, id: string, type: string, table: AttributeTable, config: C) {
    refuseOtherLibrary(scope, id);
    super(scope, id, libraryConfig(type, config));
    this.inputs = new Inputs(table, config, metaArgumentNames);
    watchElement(this, this.inputs);
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
