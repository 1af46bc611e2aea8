import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';

import type { ReceiptPolicy } from '#domain/receipt/receipt.ts';

import { replaceFile } from '../platform/data-dir.ts';

/** The file in DATA_DIR has the policy that receipts of this shop are verified with, as JSON. */
const POLICY_FILE = 'log-policy';

const rule = { witnesses: z.array(z.string()), quorum: z.int().min(0) };
const Policy = z.strictObject({
  logs: z.array(z.string()),
  ...rule,
  earlier: z.array(z.strictObject({ origin: z.string(), from: z.int().min(0), ...rule })).optional(),
});
/** A policy alone, or a file that has one, such as the index of the published vectors. */
const PolicyFile = z.union([Policy, z.looseObject({ policy: Policy }).transform(({ policy }) => policy)]);

/** Reads a policy from a file. Throws an Error that says what the file has to hold. */
export const readPolicy = async (file: string): Promise<ReceiptPolicy> => {
  const text = await readFile(file, 'utf8');
  try {
    return PolicyFile.parse(JSON.parse(text));
  } catch (cause) {
    throw new Error(`${file} is no policy: it has to be {"logs":[<vkeys>],"witnesses":[<vkeys>],"quorum":<number>}`, { cause });
  }
};

/** Returns the policy of the shop whose DATA_DIR this is; undefined where it signed nothing. Throws as `readPolicy`. */
export const readKeptPolicy = async (dataDir: string): Promise<ReceiptPolicy | undefined> => {
  const file = path.join(dataDir, POLICY_FILE);
  return existsSync(file) ? readPolicy(file) : undefined;
};

/** Keeps how receipts of this shop are verified, for commands that have no database. */
export const keepPolicy = (dataDir: string, policy: ReceiptPolicy): Promise<void> =>
  replaceFile(dataDir, POLICY_FILE, `${JSON.stringify(policy)}\n`);
