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
  format: z.literal(1),
  /** When its snapshot was taken: what was committed before is in it, nothing after. */
  takenAt: z.iso.datetime(),
  /** The newest migration of the database that it was taken of. */
  migration: z.string(),
  /** In the order in which they can be filled: whatever a row points to is in a table before its own. */
  tables: z.array(
    z.object({ name: Name, columns: z.array(z.string().regex(/^[a-z_]+$/)), rows: z.int(), sha256: z.string().regex(/^[\da-f]{64}$/) }),
  ),
  sequences: z.array(z.object({ name: Name, last: z.string().regex(/^\d+$/), isCalled: z.boolean() })),
});

/** What is in a backup. It is written last: a backup without it was cut short. */
export type Manifest = z.infer<typeof Manifest>;
export type TableCopy = Manifest['tables'][number];

export const fileOf = (directory: string, table: string): string => path.join(directory, `${table}.copy.gz`);

/** Throws `BackupRefused` when the directory holds no backup of this kind. */
export const readManifest = async (directory: string): Promise<Manifest> => {
  const text = await readFile(path.join(directory, MANIFEST), 'utf8').catch(() => undefined);
  if (text === undefined) throw new BackupRefused(`${directory} holds no backup, or one that was cut short: it has no ${MANIFEST}.`);
  try {
    return Manifest.parse(JSON.parse(text));
  } catch {
    throw new BackupRefused(`${path.join(directory, MANIFEST)} is not that of a backup that this release can restore.`);
  }
};
