import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { z } from 'zod';

import { logPosition, type StreamName } from '#domain/event-store.ts';

import type { SealedStoredEvent } from '../../event-store/stored-event.ts';
import type { SavedHead } from '../saved-heads.ts';

const PAGE = 500;

const stream = z.string().transform((text) => text as StreamName);
const Line = z.object({
  position: z
    .string()
    .regex(/^\d{1,20}$/)
    .transform((text) => logPosition(BigInt(text))),
  stream,
  revision: z.int().nonnegative(),
  eventId: z.string(),
  type: z.string(),
  data: z.string(),
  metadata: z.string(),
  rollingHash: z.string().optional(),
});
const Head = z.object({
  stream: z.string().transform((text) => text as SavedHead['stream']),
  revision: z.int().nonnegative(),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
});

class NotALogFile extends Error {
  override readonly name = 'NotALogFile';
}

async function* readLines<Of>(file: string, schema: z.ZodType<Of>): AsyncGenerator<Of> {
  let number = 0;
  for await (const text of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
    number += 1;
    if (text === '') continue;
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      throw new NotALogFile(`Line ${number} of ${file} is not JSON`);
    }
    const line = schema.safeParse(value);
    if (!line.success) throw new NotALogFile(`Line ${number} of ${file} is not a line of an export`);
    yield line.data;
  }
}

async function* inPages<Of>(lines: AsyncIterable<Of>): AsyncGenerator<readonly Of[]> {
  let page: Of[] = [];
  for await (const line of lines) {
    page.push(line);
    if (page.length < PAGE) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

/** Yields events in the file's order. Throws `NotALogFile` at the first invalid line. */
export const eventsInFile = (file: string): AsyncIterable<readonly SealedStoredEvent[]> => inPages(readLines(file, Line));

/** Throws `NotALogFile`. */
export const headsInFile = (file: string): AsyncIterable<readonly SavedHead[]> => inPages(readLines(file, Head));
