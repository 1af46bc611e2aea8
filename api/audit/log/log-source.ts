import { START, type EventStore, type LogPosition, type Recorded, type StreamName } from '#domain/event-store.ts';
import { instant } from '#domain/shared/time.ts';

import { eventCodec } from '../../event-store/codec/codec.ts';
import { schemas } from '../../event-store/codec/schemas.ts';
import { categories, type LogSeal, type SealedStoredEvent, type StoredEvent, type StoredLog } from '../../event-store/stored-event.ts';
import { SubjectErased, type SubjectKeys } from '../../event-store/encryption/subject-keys.ts';
import { eventsInFile } from './log-file.ts';
import { storedPages } from './log-pages.ts';

/** Where the audit has its events from: a store, or a file that was exported from one. */
export type LogSource = {
  pages(from?: LogPosition): AsyncIterable<readonly SealedStoredEvent[]>;
  /** Position of the newest event, if that can be told beforehand. */
  end?(): Promise<LogPosition>;
  /** Where streams can be read one after the other: all events up to a position, in the order of streams and revisions, without rolling hashes. */
  streams?(to: LogPosition): AsyncIterable<readonly StoredEvent[]>;
  /** Where the log ends by its own account, if it keeps one. */
  sealedHead?(): Promise<LogSeal>;
  /** All events of a stream, oldest first, as they are kept and as they read. */
  history(stream: StreamName): Promise<{ readonly stored: readonly StoredEvent[]; readonly read: readonly Recorded[] }>;
  /** Events as they read: with their personal fields where the source has the keys, else these are `erased`. */
  open(stored: readonly StoredEvent[]): Promise<readonly Recorded[]>;
};

/** Who has no key reads everything but personal fields, which is enough for the books. */
const NO_KEYS: SubjectKeys = {
  keyFor: (subject) => Promise.reject(new SubjectErased(subject)),
  keysOf: () => Promise.resolve(new Map()),
  erase: () => Promise.resolve(),
};
const EPOCH = instant('1970-01-01T00:00:00.000Z');
const keyless = eventCodec({ schemas, keys: NO_KEYS, now: () => EPOCH });

const PAGE = 1_000;

/** All events of a stream as they are kept, oldest first, in pages of at most `size`; none of them is empty. */
export async function* pagesOfStream(store: StoredLog, stream: StreamName, size = PAGE): AsyncGenerator<readonly StoredEvent[]> {
  for (let after: number | undefined; ;) {
    const page = await store.storedStream(stream, after, size);
    const last = page.at(-1);
    if (last) yield page;
    if (!last || page.length < size) return;
    after = last.revision;
  }
}

const wholeStream = async (store: StoredLog, stream: StreamName): Promise<readonly StoredEvent[]> => {
  const stored: StoredEvent[] = [];
  for await (const page of pagesOfStream(store, stream)) stored.push(...page);
  return stored;
};

/** At most `limit` events of a stream after a position. Read without keys: for streams that tell of nobody. */
export const streamPage = async (store: StoredLog, stream: StreamName, from: LogPosition, limit: number): Promise<readonly Recorded[]> => {
  for await (const page of pagesOfStream(store, stream)) {
    const wanted = page.filter(({ position }) => position > from).slice(0, limit);
    // A page of the answer is no longer than one here, so at most two of these hold it: the rest of it comes with the next question.
    if (wanted.length > 0) return keyless.open(wanted);
  }
  return [];
};

/** Few enough that a page of long texts takes little memory. */
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
  end: () => store.head(categories),
  pages: async function* (from = START) {
    yield* (await storedPages(store, { from, categories })).pages;
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
    history: async (stream) => {
      const stored: StoredEvent[] = [];
      for await (const page of pages()) stored.push(...page.filter((event) => event.stream === stream));
      return { stored, read: await keyless.open(stored) };
    },
    open: keyless.open,
  };
};
