import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { NO_STREAM, type Category, type CommandMetadata, type StreamName } from '#domain/event-store.ts';
import { uuidFromHash } from '#domain/shared/ids.ts';
import { instant } from '#domain/shared/time.ts';
import { eventCodec, type EventCodec } from '../../codec/codec.ts';
import { schemas } from '../../codec/schemas.ts';
import type { SubjectKeys } from '../../encryption/subject-keys.ts';
import type { SealedEvent } from '../../stored-event.ts';
import { samples } from './samples.ts';

/** A golden event has the stored event, and its data as they are read today. */
export type Golden = { readonly stored: SealedEvent; readonly reads: object };

export const GOLDEN_FILE = new URL('events.ndjson', import.meta.url);
export const goldenLines: readonly string[] = readFileSync(GOLDEN_FILE, 'utf8').trimEnd().split('\n');
export const golden = goldenLines.map((line): Golden => JSON.parse(line));

/** One key encrypts everything, because these are test data. */
const key = { bytes: Buffer.alloc(32, 7), madeAt: 0 };
const keys: SubjectKeys = {
  keyFor: async () => key,
  keysOf: async (subjects) => new Map(subjects.map((subject) => [subject, key])),
  erase: async () => {},
};

/** A line in the file keeps its event id; the id of a new line is derived from its stream. */
const eventIdOf = (stream: StreamName): string =>
  golden.find(({ stored }) => stored.stream === stream)?.stored.eventId ?? uuidFromHash(createHash('sha256').update(stream).digest('hex'));

export const goldenCodec = (eventId: string): EventCodec =>
  eventCodec({
    schemas,
    keys,
    now: () => instant('2026-11-14T12:00:01.000Z'),
    makeIv: () => Buffer.alloc(12, 3),
    newEventId: () => eventId,
  });

const command: CommandMetadata = {
  commandId: 'command-1',
  correlationId: 'request-1',
  causationId: 'cause-1',
  actor: { kind: 'admin', id: 'meera' },
};

type Samples = readonly [category: Category, type: string, variants: readonly object[]];
export const allSamples = Object.entries(samples).flatMap(([category, types]) =>
  Object.entries<readonly object[]>(types).map(([type, variants]): Samples => [category as Category, type, variants]),
);

/** Returns the line of a sample as today's code writes it. */
export const goldenLine = async (category: Category, type: string, data: object, variant: number): Promise<string> => {
  const stream: StreamName = category === 'tax' ? 'tax' : `${category}-golden-${type}-${variant}`;
  const { events } = await goldenCodec(eventIdOf(stream)).seal(stream, NO_STREAM, [{ type, data }], command);
  return JSON.stringify({ stored: events[0], reads: data });
};
