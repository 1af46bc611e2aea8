import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';

/** The operator can correct the reason. */
export class BackupRefused extends Error {
  override readonly name = 'BackupRefused';
}

export const MANIFEST = 'manifest.json';

const Name = z.string().regex(/^(?:log|shop)\.[a-z_]+$/);

const Manifest = z.object({
  format: z.literal(2),
  /** A backup has either log, accounts and mail, or the keys of the personal data in them. */
  kind: z.enum(['log', 'keys']).default('log'),
  /** The snapshot contains all earlier commits and no later ones. */
  takenAt: z.iso.datetime(),
  migration: z.string(),
  /** Each table comes after those that it references. */
  tables: z.array(
    z.object({ name: Name, columns: z.array(z.string().regex(/^[a-z_]+$/)), rows: z.int(), sha256: z.string().regex(/^[\da-f]{64}$/) }),
  ),
  sequences: z.array(z.object({ name: Name, last: z.string().regex(/^\d+$/), isCalled: z.boolean() })),
  /** A backup of keys names the ids of the key-encryption keys that wrap them. */
  wrappedBy: z.array(z.string()).optional(),
});

/** The manifest is written last: a backup without it is incomplete. */
export type Manifest = z.infer<typeof Manifest>;
export type TableCopy = Manifest['tables'][number];

export const tableFilePath = (directory: string, table: string): string => path.join(directory, `${table}.copy.gz`);

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Reads the manifest. Throws `BackupRefused` if there is no backup of this kind. */
export const readManifest = async (directory: string, kind: Manifest['kind']): Promise<Manifest> => {
  const text = await readFile(path.join(directory, MANIFEST), 'utf8').catch(() => undefined);
  if (text === undefined) throw new BackupRefused(`${directory} has no backup, or an incomplete one: there is no ${MANIFEST}.`);
  const manifest = Manifest.safeParse(parsed(text));
  if (!manifest.success) throw new BackupRefused(`${path.join(directory, MANIFEST)} is not from a backup that this release can restore.`);
  if (manifest.data.kind !== kind) throw new BackupRefused(`${directory} has a backup of the ${manifest.data.kind}, not of the ${kind}.`);
  return manifest.data;
};
