/* eslint-disable @typescript-eslint/no-require-imports, @typescript-eslint/no-unsafe-return, @typescript-eslint/no-unsafe-call, @typescript-eslint/no-unsafe-member-access, @typescript-eslint/require-await --
   The engine stores the text of these functions with every resource, and runs it in another process: it holds nothing but the call of a module. */
import type { dynamic } from '@pulumi/pulumi';

/** What is stored with a lease. Its text and the names in it never change: a state runs them for as long as it exists. */
export const leaseProvider = {
  async configure(r) { return require('macrack/pulumi/provider').lease.configure(r); },
  async check(o, n) { return require('macrack/pulumi/provider').lease.check(o, n); },
  async diff(i, o, n) { return require('macrack/pulumi/provider').lease.diff(i, o, n); },
  async create(n) { return require('macrack/pulumi/provider').lease.create(n); },
  async read(i, p) { return require('macrack/pulumi/provider').lease.read(i, p); },
  async update(i, o, n) { return require('macrack/pulumi/provider').lease.update(i, o, n); },
  async delete(i, p) { return require('macrack/pulumi/provider').lease.delete(i, p); },
} satisfies dynamic.ResourceProvider;

/** The same for an instance. */
export const instanceProvider = {
  async configure(r) { return require('macrack/pulumi/provider').instance.configure(r); },
  async check(o, n) { return require('macrack/pulumi/provider').instance.check(o, n); },
  async diff(i, o, n) { return require('macrack/pulumi/provider').instance.diff(i, o, n); },
  async create(n) { return require('macrack/pulumi/provider').instance.create(n); },
  async read(i, p) { return require('macrack/pulumi/provider').instance.read(i, p); },
  async update(i, o, n) { return require('macrack/pulumi/provider').instance.update(i, o, n); },
  async delete(i, p) { return require('macrack/pulumi/provider').instance.delete(i, p); },
} satisfies dynamic.ResourceProvider;
