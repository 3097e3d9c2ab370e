/** Programs with a toy resource: the server is a directory, an object is a file in it. Sizes above three are refused. */

const RESOURCE = `
const fs = require("node:fs");
const pulumi = require("@pulumi/pulumi");
const provider = {
  async check(olds, news) {
    const failures = news.size > 3 ? [{ property: "", reason: "TooLarge: size " + news.size + " is above three." }] : [];
    return { inputs: news, failures };
  },
  async diff(id, olds, news) { return { changes: olds.size !== news.size }; },
  async create(inputs) {
    const fs = require("node:fs");
    fs.mkdirSync("server", { recursive: true });
    fs.writeFileSync("server/" + inputs.file, String(inputs.size));
    while (inputs.slow && !fs.existsSync("go-on")) await new Promise((resolve) => setTimeout(resolve, 20));
    return { id: inputs.file, outs: inputs };
  },
  async update(id, olds, news) { require("node:fs").writeFileSync("server/" + id, String(news.size)); return { outs: news }; },
  async delete(id) { require("node:fs").rmSync("server/" + id); },
};
class Box extends pulumi.dynamic.Resource {
  constructor(name, inputs, options) { super(provider, name, { file: name, ...inputs }, options, "toy", "Box"); }
}
`;

// Like a real guard it asks for the answer when the deletion comes.
const HOOK = `
const guard = new pulumi.ResourceHook("toy:guard/v1", async (args) => {
  if (!fs.existsSync("may-go")) throw new Error("StillNeeded: " + args.name + " is needed until may-go is there.");
}, { onDryRun: true });
`;

/** A program that declares boxes. `boxes` is code, such as `new Box("a", { size: 1 })`. */
export function toy(boxes: string): string {
  return RESOURCE + boxes;
}

/** The same; `guard` is a hook that refuses deletions until a file `may-go` is in the program's directory. */
export function guardedToy(boxes: string): string {
  return RESOURCE + HOOK + boxes;
}

/** A typed program with one box. */
export function typedToy(size: string): string {
  return `import * as pulumi from "@pulumi/pulumi";
interface Inputs { size: number }
const provider: pulumi.dynamic.ResourceProvider = {
  async create(inputs: Inputs) { return { id: "typed", outs: inputs }; },
};
class Box extends pulumi.dynamic.Resource {
  declare readonly size: pulumi.Output<number>;
  constructor(name: string, inputs: Inputs) { super(provider, name, { ...inputs }, {}, "toy", "Box"); }
}
export const size: pulumi.Output<number> = new Box("typed", { size: ${size} }).size;
`;
}

/** A script of the Automation API whose program is a function in it; it prints one line of JSON. */
export const AUTOMATION = `${RESOURCE}
const { execFileSync } = require("node:child_process");
const { LocalWorkspace } = require("@pulumi/pulumi/automation");
let processes = "";
function below(pid, rows) {
  return rows.filter(([, parent]) => parent === pid).flatMap(([child, , ...command]) => [command.join(" "), ...below(child, rows)]);
}
async function program() {
  const rows = execFileSync("ps", ["-A", "-o", "pid=,ppid=,command="], { encoding: "utf8" }).split("\\n").map((row) => row.trim().split(/\\s+/));
  processes = below(String(process.pid), rows).join("\\n");
  new Box("inline", { size: Number(process.env.SIZE) });
}
async function main() {
  const stack = await LocalWorkspace.createOrSelectStack({ projectName: "inline", stackName: "dev", program });
  try {
    const { changeSummary } = await stack.preview();
    process.stdout.write(JSON.stringify({ changeSummary, processes }) + "\\n");
  } catch (error) {
    process.stdout.write(JSON.stringify({ refused: error.message }) + "\\n");
  }
}
void main();
`;
