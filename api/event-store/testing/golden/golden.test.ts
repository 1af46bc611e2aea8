import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { logPosition, NO_STREAM, type Category, type CommandMetadata, type StreamName } from '#domain/event-store.ts';
import { instant } from '#domain/shared/time.ts';
import { verifyChain } from '../../chain.ts';
import { eventCodec } from '../../codec/codec.ts';
import { schemas, type EventSchema } from '../../codec/schemas.ts';
import type { SealedEvent } from '../../stored-event.ts';
import type { SubjectKeys } from '../../encryption/subject-keys.ts';
import { samples } from './samples.ts';

/** An event as stored, and its data as read today. */
type Golden = { readonly stored: SealedEvent; readonly reads: object };

const lines = readFileSync(new URL('events.ndjson', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n');
const golden = lines.map((line): Golden => JSON.parse(line));

/** For everything: test data only. */
const key = { bytes: Buffer.alloc(32, 7), madeAt: 0 };
const keys: SubjectKeys = {
  keyFor: async () => key,
  keysOf: async (subjects) => new Map(subjects.map((subject) => [subject, key])),
  erase: async () => {},
};
const codecWith = (eventId: string) =>
  eventCodec({
    schemas,
    keys,
    now: () => instant('2026-11-14T12:00:01.000Z'),
    makeIv: () => Buffer.alloc(12, 3),
    newEventId: () => eventId,
  });
const codec = codecWith('11111111-1111-4111-8111-111111111111');
const codecFor = (stream: StreamName) => {
  const line = golden.find(({ stored }) => stored.stream === stream);
  return line ? codecWith(line.stored.eventId) : codec;
};
const command: CommandMetadata = {
  commandId: 'command-1',
  correlationId: 'request-1',
  causationId: 'cause-1',
  actor: { kind: 'admin', id: 'meera' },
};

type Samples = readonly [category: Category, type: string, variants: readonly object[]];
const allSamples = Object.entries(samples).flatMap(([category, types]) =>
  Object.entries<readonly object[]>(types).map(([type, variants]): Samples => [category as Category, type, variants]),
);

const goldenLine = async (category: Category, type: string, data: object, variant: number): Promise<string> => {
  const stream: StreamName = category === 'tax' ? 'tax' : `${category}-golden-${type}-${variant}`;
  const { events } = await codecFor(stream).seal(stream, NO_STREAM, [{ type, data }], command);
  return JSON.stringify({ stored: events[0], reads: data });
};

const versionOf = ({ metadata }: SealedEvent): number => JSON.parse(metadata).version;

describe('the golden file of all event shapes', () => {
  test.each(allSamples)('has the %s event %s as written today, byte for byte', async (category, type, variants) => {
    for (const [variant, data] of variants.entries()) {
      const line = await goldenLine(category, type, data, variant);
      // If this fails for a new event or version, add the expected line; never change existing lines.
      expect(lines.find((each) => each === line) ?? 'not in the file').toBe(line);
    }
  });

  test.each(Object.entries<EventSchema>(schemas))('has every version of %s', (type, { version }) => {
    const versions = golden.filter(({ stored }) => stored.type === type).map(({ stored }) => versionOf(stored));
    expect([...new Set(versions)].sort()).toEqual(Array.from({ length: version }, (_, index) => index + 1));
  });

  test('reads in current shapes', async () => {
    const stored = golden.map((line, index) => ({ ...line.stored, position: logPosition(BigInt(index + 1)) }));
    const reads = golden.map((line) => line.reads);
    expect((await codec.open(stored)).map((event) => event.data)).toEqual(reads);
  });

  test('verifies', () => {
    for (const { stored } of golden) expect(verifyChain(stored.stream, [stored])).toMatchObject({ chain: 'intact' });
  });
});
