import { lookForEngine, obtainEngine } from '../../pulumi/engine';
import { findEngine, tryFindEngine } from '../../terraform/engine';
import type { Tool, ToolName } from '../tool';
import { pulumi } from './pulumi';
import { terraform } from './terraform';

/** The tools that a demo drives, in their order, and why one is left out. */
export interface Choice {
  readonly tools: readonly Tool[];
  readonly leftOut: readonly { readonly tool: ToolName; readonly why: string }[];
}

const NO_TERRAFORM = 'neither terraform nor tofu is on PATH: install Terraform 1.5 or newer (or OpenTofu 1.6 or newer)';

/** Every tool that can be had without building it. @throws Error where there is none at all */
function whatThereIs(): Choice {
  const engine = tryFindEngine();
  const { engine: pulumiEngine, why = '' } = lookForEngine();
  if (engine === undefined && pulumiEngine === undefined) throw new Error(`There is no tool to drive: ${NO_TERRAFORM}; ${why}`);
  return {
    tools: [...(engine === undefined ? [] : [terraform(engine)]), ...(pulumiEngine === undefined ? [] : [pulumi(pulumiEngine)])],
    leftOut: [...(engine === undefined ? [{ tool: 'terraform', why: NO_TERRAFORM }] as const : []), ...(pulumiEngine === undefined ? [{ tool: 'pulumi', why }] as const : [])],
  };
}

/** What the demo drives. @param wanted one tool, which then has to be there; pulumi is built where Go is on PATH. @throws Error with what to install */
export function chooseTools(wanted?: ToolName): Choice {
  if (wanted === undefined) return whatThereIs();
  return { tools: [wanted === 'terraform' ? terraform(findEngine()) : pulumi(obtainEngine())], leftOut: [] };
}
