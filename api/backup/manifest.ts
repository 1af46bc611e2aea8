import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';

/** A backup cannot be made or restored, for a reason that whoever asked can put right. */
export class BackupRefused extends Error {
  override readonly name = 'BackupRefused';
}

export const MANIFEST = 'manifest.json';

const Name = z.string().regex(/^(?:log|shop)\.[a-z_]+$/);

const Manifest = z.object({
  /** In the first format the keys of personal data stand beside the log, as they are. */
  format: z.union([z.literal(1), z.literal(2)]),
  /** Log, accounts and mail, or the keys of the personal data in them. */
  kind: z.enum(['log', 'keys']).default('log'),
  /** When its snapshot was taken: what was committed before is in it, nothing after. */
  takenAt: z.iso.datetime(),
  /** The newest migration of the database that it was taken of. */
  migration: z.string(),
  /** In the order in which they can be filled: whatever a row points to is in a table before its own. */
  tables: z.array(
    z.object({ name: Name, columns: z.array(z.string().regex(/^[a-z_]+$/)), rows: z.int(), sha256: z.string().regex(/^[\da-f]{64}$/) }),
  ),
  sequences: z.array(z.object({ name: Name, last: z.string().regex(/^\d+$/), isCalled: z.boolean() })),
  /** Of a backup of keys: the key-encryption keys by which they are wrapped. */
  wrappedBy: z.array(z.string()).optional(),
});

/** What is in a backup. It is written last: a backup without it was cut short. */
export type Manifest = z.infer<typeof Manifest>;
export type TableCopy = Manifest['tables'][number];

export const fileOf = (directory: string, table: string): string => path.join(directory, `${table}.copy.gz`);

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Throws `BackupRefused` when the directory holds no backup of this kind. */
export const readManifest = async (directory: string, kind: Manifest['kind'] = 'log'): Promise<Manifest> => {
  const text = await readFile(path.join(directory, MANIFEST), 'utf8').catch(() => undefined);
  if (text === undefined) throw new BackupRefused(`${directory} holds no backup, or one that was cut short: it has no ${MANIFEST}.`);
  const manifest = Manifest.safeParse(parsed(text));
  if (!manifest.success)
    throw new BackupRefused(`${path.join(directory, MANIFEST)} is not that of a backup that this release can restore.`);
  if (manifest.data.kind !== kind) throw new BackupRefused(`${directory} holds a backup of the ${manifest.data.kind}, not of the ${kind}.`);
  return manifest.data;
};
