import { START, type StreamName } from '#domain/event-store.ts';

import type { StoredEvent } from '../event-store/stored-event.ts';
import type { Books } from './books.ts';
import type { LogSource } from './log-source.ts';
import type { SavedHead, SavedHeads } from './saved-heads.ts';

/** All heads that were saved of a stream, stream after stream. */
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

/** How far the books are read: `events` in all so far; `position` of `end` is how much of the work that is. */
export type BookProgress = { readonly events: number; readonly position: string; readonly end: string };

type Sources = { readonly source: LogSource; readonly books: Books; readonly savedHeads: SavedHeads | undefined };

/** Stream after stream, beside the heads saved of them, which come in the same order. */
async function* readStreams({ source, books, savedHeads }: Sources, pages: AsyncIterable<readonly StoredEvent[]>): AsyncGenerator<number> {
  const saved = savedHeads && savedByStream(savedHeads);
  let expected = await saved?.next();
  let current: StreamName | undefined;
  const begin = async (stream: StreamName | undefined): Promise<void> => {
    if (current !== undefined) books.settle(current);
    current = stream;
    while (expected && !expected.done) {
      const name = expected.value[0]?.stream ?? '';
      if (stream !== undefined && name > stream) return;
      for (const head of expected.value) books.expect(head);
      // There is nothing left of a stream that was passed by.
      if (name !== stream) books.settle(name as StreamName);
      expected = await saved?.next();
    }
  };
  for await (const page of pages) {
    const read = await source.open(page);
    for (const [index, event] of page.entries()) {
      if (event.stream !== current) await begin(event.stream);
      books.takeOne(event, read[index]);
    }
    yield page.length;
  }
  await begin(undefined);
}

/** Puts a whole log into the books in its order: of each stream something is remembered. */
export async function* readInLogOrder(source: LogSource, books: Books): AsyncGenerator<BookProgress> {
  const end = String((await source.end?.()) ?? START);
  let events = 0;
  for await (const page of source.pages()) {
    books.take(page, await source.open(page));
    events += page.length;
    yield { events, position: String(page.at(-1)?.position ?? START), end };
  }
}

/**
 * Puts a whole log into the books. Where the source has its streams one after the other, memory holds one of them: the log is
 * gone through in its order for the rolling hash, and then stream after stream. Elsewhere (EventStoreDB, a file) it is read once, in its order.
 */
export async function* readBooks(source: LogSource, books: Books, savedHeads?: SavedHeads): AsyncGenerator<BookProgress> {
  if (!source.streams) {
    if (savedHeads) for await (const page of savedHeads.pages()) for (const head of page) books.expect(head);
    return yield* readInLogOrder(source, books);
  }
  const end = (await source.end?.()) ?? START;
  let events = 0;
  for await (const page of source.pages()) {
    books.roll(page);
    yield { events, position: String((page.at(-1)?.position ?? START) / 2n), end: String(end) };
  }
  for await (const count of readStreams({ source, books, savedHeads }, source.streams(end))) {
    events += count;
    yield { events, position: String((end + BigInt(events)) / 2n), end: String(end) };
  }
}
