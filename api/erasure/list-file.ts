import { mkdir, open, readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';

import { getErrorCode } from '../platform/cannot-start.ts';
import type { Erasure } from './erasures.ts';

/** The erasure list is outside the database, so that restoring an older backup does not bring back erased users. */
export type ListFile = {
  /** Reads the list and skips a line that was cut off when its process died. */
  read(): Promise<readonly Erasure[]>;
  /** Appends erasures, which are on disk when it resolves. Existing entries are not repeated. */
  append(erasures: readonly Erasure[]): Promise<void>;
};

const Line = z.object({
  user: z.uuid(),
  subjects: z.array(z.string()).readonly(),
  addresses: z.array(z.string()).readonly(),
  recipient: z.base64(),
  /** Earlier releases left these out. */
  formerRecipients: z.array(z.base64()).default([]),
  askedAt: z.iso.datetime(),
});

const formatErasure = ({ recipients, askedAt, ...erasure }: Erasure): string => {
  const [recipient = '', ...formerRecipients] = recipients.map((each) => each.toString('base64'));
  return JSON.stringify({ ...erasure, recipient, formerRecipients, askedAt: askedAt.toISOString() } satisfies z.input<typeof Line>);
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const parseErasure = (text: string): readonly Erasure[] => {
  const line = Line.safeParse(parsed(text));
  if (!line.success) return [];
  const { recipient, formerRecipients, askedAt, ...rest } = line.data;
  const recipients = (recipient === '' ? [] : [recipient, ...formerRecipients]).map((each) => Buffer.from(each, 'base64'));
  return [{ ...rest, recipients, askedAt: new Date(askedAt) }];
};

/** Returns one entry for each user, with the subjects of all lines: a visitor may have been added during the erasure. */
const joined = (erasures: readonly Erasure[]): readonly Erasure[] => {
  const byUser = new Map<string, Erasure>();
  for (const erasure of erasures) {
    const before = byUser.get(erasure.user);
    byUser.set(erasure.user, before ? { ...before, subjects: [...new Set([...before.subjects, ...erasure.subjects])] } : erasure);
  }
  return [...byUser.values()];
};

/** The file `DATA_DIR/erasures.ndjson` has ids and keyed hashes, is append-only, and only its owner can read it. */
export const openListFile = (dataDir: string): ListFile => {
  const file = path.join(dataDir, 'erasures.ndjson');

  const read = async (): Promise<readonly Erasure[]> => {
    try {
      return joined((await readFile(file, 'utf8')).split('\n').flatMap(parseErasure));
    } catch (error) {
      if (getErrorCode(error) === 'ENOENT') return [];
      throw error;
    }
  };

  return {
    read,
    append: async (erasures) => {
      const known = new Map((await read()).map(({ user, subjects }) => [user, new Set(subjects)]));
      const unknown = erasures.filter(({ user, subjects }) => subjects.some((subject) => !known.get(user)?.has(subject)));
      if (unknown.length === 0) return;
      await mkdir(dataDir, { recursive: true });
      const handle = await open(file, 'a', 0o600);
      try {
        // The text starts with a newline, because a killed process may have left an incomplete line.
        await handle.appendFile(unknown.map((erasure) => `\n${formatErasure(erasure)}\n`).join(''));
        await handle.sync();
      } finally {
        await handle.close();
      }
    },
  };
};
