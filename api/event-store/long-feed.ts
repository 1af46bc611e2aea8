import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

import type { Category, Feed, LogPosition } from '#domain/event-store.ts';

import { RowCursor, type EventRow, type PageBytes } from './event-rows.ts';
import { handedEvent } from './handed-event.ts';
import { errorOf, type Trouble } from './opened-text.ts';
import { PagesAhead, type Asked } from './pages-ahead.ts';
import { isWholeLog } from './stored-event.ts';

/** Where a log is and the keys of its personal fields. */
export type LogPlace = {
  /** Of the shop's Postgres. */
  readonly connectionString: string;
  /** Of the EventStoreDB that has the log; without it the Postgres has it. */
  readonly eventStoreUrl?: string | undefined;
  readonly streamPrefix?: string | undefined;
};

/** What the reading thread is asked, and what it answers. */
export type Question = Asked & { readonly id: number };
/** A buffer comes as the array that it is. */
export type Answer =
  { readonly id: number; readonly page: Uint8Array; readonly next: Asked | undefined } | { readonly id: number; readonly trouble: Trouble };
/** In place of a question: there will be no more. */
export const END = 'end';

/** A page, and which one follows it if it is full. */
export type Read = { readonly page: PageBytes; readonly next: Asked | undefined };
type Waiting = { readonly resolve: (read: Read) => void; readonly reject: (error: Error) => void };

/** What a page leaves behind when it has been handed on is little: so much room for it, in MB, is enough. */
const resourceLimits = { maxYoungGenerationSizeMb: 8 };

/** Among the programs that were built it is one of them; beside this source it is a source, which a thread of its own must learn to read. */
const startThread = (place: LogPlace): Worker => {
  if (!import.meta.url.endsWith('.ts'))
    return new Worker(new URL('reading-thread.js', import.meta.url), { workerData: place, resourceLimits });
  const source = JSON.stringify(new URL('reading-thread.ts', import.meta.url).href);
  const reading = `import('tsx/esm/api').then(({ register }) => (register(), import(${source})))`;
  return new Worker(reading, { eval: true, execArgv: [], workerData: place, resourceLimits });
};

/** How long a thread may take to end by itself, in ms. */
const PATIENCE = 5_000;

/** A thread that reads and opens pages of the log, and whoever waits for one. */
class Reader {
  readonly #thread: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #asked = 0;
  #ended: Error | undefined;

  constructor(place: LogPlace) {
    this.#thread = startThread(place);
    this.#thread.on('message', (answer: Answer) => this.#take(answer));
    this.#thread.on('error', (error) => this.#end(error));
    this.#thread.on('exit', () => this.#end(new Error('The reading thread has ended')));
  }

  #take(answer: Answer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if ('page' in answer) waiting?.resolve({ page: Buffer.from(answer.page.buffer), next: answer.next });
    else waiting?.reject(errorOf(answer.trouble));
  }

  #say(what: Question | typeof END): void {
    this.#thread.postMessage(what, []);
  }

  #end(error: Error): void {
    this.#ended ??= error;
    for (const { reject } of this.#waiting.values()) reject(this.#ended);
    this.#waiting.clear();
  }

  read = (asked: Asked): Promise<Read> =>
    new Promise((resolve, reject) => {
      if (this.#ended) return reject(this.#ended);
      const id = ++this.#asked;
      this.#waiting.set(id, { resolve, reject });
      this.#say({ id, ...asked });
    });

  async close(): Promise<void> {
    if (this.#ended) return;
    const exit = once(this.#thread, 'exit');
    const late = setTimeout(() => void this.#thread.terminate(), PATIENCE);
    this.#say(END);
    await exit;
    clearTimeout(late);
  }
}

/** So many events the thread reads at once: what each time costs is shared by many. */
const READ_AT_ONCE = 1_000;
/** At most so many are handed out at once: what is made of them is gone before the engine takes it for something that lasts. */
const HANDED_AT_ONCE = 100;

const nameOf = (after: LogPosition, categories: readonly Category[]): string => `${after} ${categories.join()}`;

/** So many pages are asked for before they are wanted: while the thread opens one it answers to nobody. */
const AHEAD = 1;

/** The large pages of a reader, handed out as small ones. */
class SmallPages {
  readonly #pages: PagesAhead<PageBytes>;
  /** The page that has been read last, and what the part of it is called that was not handed out yet. */
  #rows: RowCursor | undefined;
  #left = '';

  constructor(readonly reader: Reader) {
    this.#pages = new PagesAhead((asked) => {
      const read = reader.read(asked);
      return { page: read.then(({ page }) => page), next: read.then(({ next }) => next) };
    }, AHEAD);
  }

  /** Empty only when the log has no more at this moment. */
  async page(after: LogPosition, limit: number, categories: readonly Category[]): Promise<readonly EventRow[]> {
    const most = Math.min(limit, HANDED_AT_ONCE);
    const goesOn = this.#left === nameOf(after, categories);
    let rows = goesOn && this.#rows ? this.#rows.take(most) : [];
    if (rows.length === 0) {
      this.#rows = new RowCursor(await this.#pages.page({ after, limit: READ_AT_ONCE, categories }));
      rows = this.#rows.take(most);
    }
    this.#left = nameOf(rows.at(-1)?.position ?? after, categories);
    return rows;
  }
}

/**
 * The same feed for whoever goes through a long log: its pages are read, and their personal fields opened, in a thread of their own,
 * beside what is done with them here. The thread begins with the first page. Errors of the store come by name and message; whoever
 * waits for a page when the thread ends gets an error too. To be closed.
 */
export const longFeed = (feed: Feed, place: LogPlace): Feed & { close(): Promise<void> } => {
  let pages: SmallPages | undefined;
  return {
    follow: feed.follow,
    at: feed.at,
    head: feed.head,
    page: async (after, limit, categories) => {
      // Of a whole log the store itself looks that nothing is missing.
      if (isWholeLog(categories)) return feed.page(after, limit, categories);
      pages ??= new SmallPages(new Reader(place));
      return (await pages.page(after, limit, categories)).map(handedEvent);
    },
    close: async () => pages?.reader.close(),
  };
};
