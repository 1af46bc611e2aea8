import { START, type EventStore, type LogPosition, type Recorded, type StreamName } from '#domain/event-store.ts';
import type { OrderEvent } from '#domain/order/events.ts';
import { instant } from '#domain/shared/time.ts';

import { eventCodec } from '../../event-store/codec/codec.ts';
import { schemas } from '../../event-store/codec/schemas.ts';
import {
  streamCategories,
  type LogSeal,
  type SealedStoredEvent,
  type StoredEvent,
  type StoredLog,
} from '../../event-store/stored-event.ts';
import { SubjectErased, type SubjectKeys } from '../../event-store/encryption/subject-keys.ts';
import { eventsInFile } from './log-file.ts';
import { readLogPages, storedPages } from './log-pages.ts';

/** The source is a store or an exported file. */
export type LogSource = {
  pages(from?: LogPosition): AsyncIterable<readonly SealedStoredEvent[]>;
  /** Exists if the end is known beforehand. */
  end?(): Promise<LogPosition>;
  /** Exists if possible: yields all events up to a position, by stream and revision, without rolling hashes. */
  streams?(to: LogPosition): AsyncIterable<readonly StoredEvent[]>;
  sealedHead?(): Promise<LogSeal>;
  /** Yields all events of orders in log order. A file's personal fields are `erased`. */
  orders(): AsyncIterable<readonly Recorded<OrderEvent>[]>;
  history(stream: StreamName): Promise<{ readonly stored: readonly StoredEvent[]; readonly read: readonly Recorded[] }>;
  /** Decodes events. Personal fields are `erased` if the source has no keys. */
  open(stored: readonly StoredEvent[]): Promise<readonly Recorded[]>;
};

/** The audit does not need personal fields. */
const NO_KEYS: SubjectKeys = {
  keyFor: (subject) => Promise.reject(new SubjectErased(subject)),
  keysOf: () => Promise.resolve(new Map()),
  erase: () => Promise.resolve(),
};
const EPOCH = instant('1970-01-01T00:00:00.000Z');
const keyless = eventCodec({ schemas, keys: NO_KEYS, now: () => EPOCH });

const PAGE = 1_000;

/** Yields events oldest first, in non-empty pages of at most `size`. */
export async function* pagesOfStream(store: StoredLog, stream: StreamName, size = PAGE): AsyncGenerator<readonly StoredEvent[]> {
  for (let after: number | undefined; ;) {
    const page = await store.storedStream(stream, after, size);
    const last = page.at(-1);
    if (last) yield page;
    if (!last || page.length < size) return;
    after = last.revision;
  }
}

/** Sorts by position, because two swapped events would look intact by revision. */
export const inLogOrder = (stored: readonly StoredEvent[]): readonly StoredEvent[] =>
  stored.toSorted((one, other) => (one.position < other.position ? -1 : 1));

const wholeStream = async (store: StoredLog, stream: StreamName): Promise<readonly StoredEvent[]> => {
  const stored: StoredEvent[] = [];
  for await (const page of pagesOfStream(store, stream)) stored.push(...page);
  return stored;
};

type StreamDeps = { readonly store: StoredLog; readonly open: LogSource['open'] };

export const streamPage = async (
  { store, open }: StreamDeps,
  stream: StreamName,
  from: LogPosition,
  limit: number,
): Promise<readonly Recorded[]> => {
  for await (const page of pagesOfStream(store, stream)) {
    const wanted = page.filter(({ position }) => position > from).slice(0, limit);
    // The page may have fewer than `limit` events when they are on two pages: the next request gets the rest.
    if (wanted.length > 0) return open(wanted);
  }
  return [];
};

/** Pages are small, because texts may be long. */
const STREAMS_PAGE = 250;

async function* byStream(read: Required<StoredLog>['storedStreams'], to: LogPosition): AsyncGenerator<readonly StoredEvent[]> {
  for (let last: StoredEvent | undefined; ;) {
    const page = await read(last, STREAMS_PAGE, to);
    last = page.at(-1);
    if (!last) return;
    yield page;
  }
}

export const liveLog = ({ storedStreams, ...store }: EventStore & StoredLog): LogSource => ({
  end: () => store.head(streamCategories),
  pages: async function* (from = START) {
    yield* (await storedPages(store, { from, categories: streamCategories })).pages;
  },
  orders: async function* () {
    // The cast is safe: this category has only events of orders.
    for await (const page of (await readLogPages(store, { from: START, categories: ['order'] })).pages)
      yield page as readonly Recorded<OrderEvent>[];
  },
  ...(storedStreams && { streams: (to) => byStream(storedStreams, to) }),
  ...(store.sealedHead && { sealedHead: store.sealedHead }),
  history: async (stream) => {
    const stored = await wholeStream(store, stream);
    const { events } = await store.read(stream);
    return { stored, read: events.slice(0, stored.length) };
  },
  open: keyless.open,
});

export const logInFile = (file: string): LogSource => {
  const pages = async function* (from = START) {
    for await (const page of eventsInFile(file)) {
      const rest = page.filter(({ position }) => position > from);
      if (rest.length > 0) yield rest;
    }
  };
  return {
    pages,
    orders: async function* () {
      for await (const page of pages())
        yield (await keyless.open(page.filter(({ stream }) => stream.startsWith('order-')))) as readonly Recorded<OrderEvent>[];
    },
    history: async (stream) => {
      const stored: StoredEvent[] = [];
      for await (const page of pages()) stored.push(...page.filter((event) => event.stream === stream));
      return { stored, read: await keyless.open(stored) };
    },
    open: keyless.open,
  };
};
