import { cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(__dirname, '..', '..');

/** What the compiled provider of Terraform is made of. */
const PARTS = ['sdk', 'provider/core', 'provider/terraform'];

/** A change of the compiled provider: a text that stands once in a file of dist, and what stands there instead. */
export interface BuiltMutation {
  readonly file: string;
  readonly replace: string;
  readonly by: string;
}

/** The program of the compiled provider as it is. */
export function wholeProvider(): string {
  return join(root, 'dist', 'provider', 'terraform', 'main.js');
}

/**
 * Copies the compiled provider without its bundle, and takes one stop away.
 * @returns the program that an engine starts
 * @throws Error unless the text stands there exactly once
 */
export function mutatedProvider(directory: string, { file, replace, by }: BuiltMutation): string {
  for (const part of PARTS) cpSync(join(root, 'dist', part), join(directory, 'dist', part), { recursive: true });
  cpSync(join(root, 'package.json'), join(directory, 'package.json'));
  if (!existsSync(join(directory, 'node_modules'))) symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'));
  const path = join(directory, 'dist', file);
  const text = readFileSync(path, 'utf8');
  if (text.split(replace).length !== 2) throw new Error(`${file} has ${text.split(replace).length - 1} times: ${replace}`);
  writeFileSync(path, text.replace(replace, by));
  return join(directory, 'dist', 'provider', 'terraform', 'main.js');
}
