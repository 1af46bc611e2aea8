import { expect } from 'vitest';
import { NO_STREAM, type Category, type EventStore, type LogPosition, type Recorded } from '#domain/event-store.ts';
import { command, restocked, soldOut, streamId } from './writing.ts';

const WRITERS = 60;
const APPENDS_EACH = 4;
const PRODUCTS: readonly Category[] = ['product'];

type Sighting = Pick<Recorded, 'stream' | 'revision' | 'position'>;

/** Sixty writers, each with its own stream, append at once through these stores, while a follower records what it gets. */
export const sixtyWriters = async (
  store: EventStore,
  ...others: readonly EventStore[]
): Promise<{ written: readonly string[]; seen: readonly Sighting[] }> => {
  const stores = [store, ...others];
  const leave = new AbortController();
  const start = await store.head(PRODUCTS);
  const streams = Array.from({ length: WRITERS }, streamId);
  const seen: Sighting[] = [];
  let target: LogPosition | undefined;
  const following = (async () => {
    for await (const page of store.follow(start, PRODUCTS, leave.signal)) {
      seen.push(...page);
      if (target !== undefined && (seen.at(-1)?.position ?? start) >= target) leave.abort();
    }
  })();
  // The error is thrown again below, when the writers have finished.
  following.catch(() => {});

  await Promise.all(
    streams.map(async (stream, writer) => {
      const { append } = stores[writer % stores.length] ?? store;
      let head = NO_STREAM;
      for (let round = 0; round < APPENDS_EACH; round++) {
        ({ head } = await append(stream, head, round % 2 === 0 ? [soldOut, restocked] : [soldOut], command()));
      }
    }),
  );
  // One more event gives the follower a position beyond everything that the writers wrote.
  target = (await store.append(streamId(), NO_STREAM, [soldOut], command())).position;
  if ((seen.at(-1)?.position ?? start) >= target) leave.abort();
  await following;
  const perStream = (APPENDS_EACH * 3) / 2;
  return { written: streams.flatMap((stream) => Array.from({ length: perStream }, (_, revision) => `${stream}:${revision}`)), seen };
};

/** Expects that every event was seen once, in the order of its stream and of the log. */
export const expectNothingSkipped = (written: readonly string[], seen: readonly Sighting[]): void => {
  const wanted = new Set(written);
  const names = seen.map((event) => `${event.stream}:${event.revision}`).filter((name) => wanted.has(name));
  const missed = written.filter((name) => !names.includes(name));
  expect(missed).toEqual([]);
  expect(names).toHaveLength(written.length);
  const positions = seen.map((event) => event.position);
  expect(positions.every((position, index) => index === 0 || position > (positions[index - 1] ?? position))).toBe(true);
  const next = new Map<string, number>();
  for (const { stream, revision } of seen) {
    expect(revision).toBe(next.get(stream) ?? 0);
    next.set(stream, revision + 1);
  }
};
