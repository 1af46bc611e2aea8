import { logPosition, START, type LogPosition, type StreamName } from '#domain/event-store.ts';

import type { StoredEvent } from '../../event-store/stored-event.ts';
import type { Books } from './books.ts';
import type { LogSource } from '../log/log-source.ts';
import { THE_LOG, type SavedHead, type SavedHeads } from '../saved-heads.ts';
import { SpillFile } from './spill-file.ts';

async function* savedByStream(savedHeads: SavedHeads): AsyncGenerator<readonly SavedHead[]> {
  let group: SavedHead[] = [];
  for await (const page of savedHeads.pages()) {
    for (const head of page) {
      if (group[0] && group[0].stream !== head.stream) {
        yield group;
        group = [];
      }
      group.push(head);
    }
  }
  if (group.length > 0) yield group;
}

/** `position` of `end` is the part that is done; `settled` has the heads of streams completed since the last report. */
export type BookProgress = {
  readonly events: number;
  readonly position: string;
  readonly end: string;
  readonly settled: readonly SavedHead[];
};

export type HeadsToCompare = {
  readonly savedHeads?: SavedHeads | undefined;
  readonly heads?: AsyncIterable<readonly SavedHead[]> | undefined;
};

/** `most` is the number of streams tracked at a time, for a log that cannot be read by stream. */
export type ReadingOptions = HeadsToCompare & { readonly most?: number };

/** Each stream takes less than half a kilobyte. */
const MOST = 50_000;

type Reading = { readonly source: LogSource; readonly books: Books };
type Taken = { readonly count: number; readonly settled: readonly SavedHead[] };

/** Reads streams together with their saved heads, which have the same order. */
async function* readStreams(
  { source, books }: Reading,
  pages: AsyncIterable<readonly StoredEvent[]>,
  savedHeads: SavedHeads | undefined,
): AsyncGenerator<Taken> {
  const saved = savedHeads && savedByStream(savedHeads);
  let expected = await saved?.next();
  let current: StreamName | undefined;
  let settled: SavedHead[] = [];
  const begin = async (stream: StreamName | undefined): Promise<void> => {
    const head = current && books.settle(current);
    if (head) settled.push(head);
    current = stream;
    while (expected && !expected.done) {
      const name = expected.value[0]?.stream ?? THE_LOG;
      if (stream !== undefined && name > stream) return;
      // The heads of the log itself were added before the first page.
      if (name !== THE_LOG) for (const each of expected.value) books.expect(each);
      // The stream has no events in the log.
      if (name !== THE_LOG && name !== stream) books.settle(name);
      expected = await saved?.next();
    }
  };
  for await (const page of pages) {
    settled = [];
    const read = await source.open(page);
    for (const [index, event] of page.entries()) {
      if (event.stream !== current) await begin(event.stream);
      books.takeOne(event, read[index]);
    }
    yield { count: page.length, settled };
  }
  settled = [];
  await begin(undefined);
  yield { count: 0, settled };
}

/** Reads in log order for the rolling hash, then by stream with one stream in memory. */
async function* readTwice(
  parts: Reading,
  streams: Required<LogSource>['streams'],
  savedHeads: SavedHeads | undefined,
): AsyncGenerator<BookProgress> {
  const { source, books } = parts;
  const end = (await source.end?.()) ?? START;
  if (savedHeads) for (const head of await savedHeads.of(THE_LOG)) books.expect({ ...head, stream: THE_LOG });
  let events = 0;
  for await (const page of source.pages()) {
    books.roll(page);
    yield { events, position: String((page.at(-1)?.position ?? START) / 2n), end: String(end), settled: [] };
  }
  for await (const { count, settled } of readStreams(parts, streams(end), savedHeads)) {
    events += count;
    yield { events, position: String((end + BigInt(events)) / 2n), end: String(end), settled };
  }
}

type Item = StoredEvent | SavedHead;

const formatLine = (item: Item): string => JSON.stringify('hash' in item ? item : { ...item, position: String(item.position) });

async function* parseItems(pages: AsyncIterable<readonly string[]>): AsyncGenerator<readonly Item[]> {
  for await (const lines of pages)
    yield lines.map((line) => {
      const item = JSON.parse(line) as SavedHead | (Omit<StoredEvent, 'position'> & { readonly position: string });
      return 'hash' in item ? item : { ...item, position: logPosition(BigInt(item.position)) };
    });
}

/**
 * Reads heads and events in any order, `most` streams at a time. Those of other streams are written to disk, in partitions that are read in
 * the same way. `onRest` gets their number.
 */
async function* readAdmitted(
  { source, books, most, onRest }: Reading & { readonly most: number; readonly onRest?: (items: number) => void },
  pages: AsyncIterable<readonly Item[]>,
  level = 0,
): AsyncGenerator<Taken> {
  let rest: SpillFile | undefined;
  try {
    for await (const page of pages) {
      const events: StoredEvent[] = [];
      for (const item of page) {
        const isAdmitted = item.stream === THE_LOG || books.admits(item.stream, most);
        if (!isAdmitted) await (rest ??= await SpillFile.open(level)).put(item.stream, formatLine(item));
        else if ('hash' in item) books.expect(item);
        else events.push(item);
      }
      const read = await source.open(events);
      for (const [index, event] of events.entries()) books.takeOne(event, read[index]);
      yield { count: events.length, settled: [] };
    }
    yield { count: 0, settled: [...books.settleAll()] };
    if (!rest) return;
    onRest?.(rest.lines);
    for await (const partition of rest.partitions()) yield* readAdmitted({ source, books, most }, parseItems(partition), level + 1);
  } finally {
    await rest?.close();
  }
}

async function* readInLogOrder(
  { source, books }: Reading,
  { savedHeads, heads, most = MOST }: ReadingOptions,
): AsyncGenerator<BookProgress> {
  const end = (await source.end?.()) ?? START;
  let position = START;
  const items = async function* (): AsyncGenerator<readonly Item[]> {
    if (savedHeads) yield* savedHeads.pages();
    if (heads) yield* heads;
    for await (const page of source.pages()) {
      books.roll(page);
      position = page.at(-1)?.position ?? position;
      yield page;
    }
  };
  let [events, waiting, before] = [0, 0, 0];
  const onRest = (count: number) => ([waiting, before] = [count, events]);
  for await (const { count, settled } of readAdmitted({ source, books, most, onRest }, items())) {
    events += count;
    const done: LogPosition = waiting === 0 ? position : logPosition(end + (end * BigInt(events - before)) / BigInt(waiting));
    yield { events, position: String(done / 2n), end: String(end), settled };
  }
}

/**
 * Reads by stream with one in memory, if the source can and no file of heads (in another order) is given. Otherwise (EventStoreDB, a file)
 * it reads in log order and tracks a limited number of streams at a time.
 */
export const readBooks = (source: LogSource, books: Books, options: ReadingOptions): AsyncGenerator<BookProgress> =>
  source.streams && !options.heads
    ? readTwice({ source, books }, source.streams, options.savedHeads)
    : readInLogOrder({ source, books }, options);
