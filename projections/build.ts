import type pg from 'pg';

import type { Feed, LogPosition, Recorded } from '#domain/event-store.ts';
import { START } from '#domain/event-store.ts';

import { applyPage, Application, writeParkings } from './apply.ts';
import { inTransaction, lockHeld, moveCheckpoint, type Held } from './checkpoint.ts';
import { isCausedByValues } from './failures.ts';
import { Fold } from './fold.ts';
import type { Changes } from './changes.ts';
import { pagesOf } from './pages.ts';
import { copyRows, writeChanges } from './rows.ts';
import { identityOf } from './rewound.ts';
import { sideBySide } from './side-by-side.ts';
import { analyze, createIndexes, createKey, createTable, type Slot, type SlotTable } from './slot.ts';

/** What a build tells while it goes on: how many events it has applied, and up to where. */
export type OnProgress = (progress: { readonly events: number; readonly position: LogPosition }) => void;

export type BuildOptions = {
  readonly until: AbortSignal;
  readonly onProgress?: OnProgress;
  /** Last position to apply; default: as far as the log goes. */
  readonly upTo?: LogPosition;
  /** How much the rows may take in memory before they are written, in bytes. */
  readonly memory?: number;
};

const MEMORY = 10 * 2 ** 20;
/** How many parked events may wait in memory to be written. */
const PARKINGS = 1_000;
/** The share of the memory that rows may still take once it was full. */
const KEPT = 0.5;

const isChanging = ({ put, gone }: Changes): boolean => put.length + gone.length > 0;

/** One build of a slot that its caller holds, on one connection; for what takes long of another one beside it, if the pool has one. */
export class Build {
  #events = 0;
  /** Tables that hold rows, and those that have their key. */
  readonly #written = new Set<SlotTable>();
  readonly #keyed = new Set<SlotTable>();

  constructor(
    readonly client: pg.ClientBase,
    readonly pool: pg.Pool,
    readonly slot: Slot,
    readonly feed: Feed,
    readonly options: BuildOptions,
    public held: Held,
  ) {}

  /** Empty tables without keys, whatever an interrupted build has left. */
  async #begin(): Promise<void> {
    const { client, slot } = this;
    const { name, version } = slot.projector;
    await inTransaction(client, async () => {
      await lockHeld(client, slot, this.held);
      for (const table of slot.tables) {
        await client.query(`drop table if exists ${table.sqlName}`);
        for (const statement of createTable(table)) await client.query(statement);
      }
      await client.query('delete from read.parked where model = $1 and version = $2 and slot = $3', [name, version, slot.name]);
      await client.query(
        `update read.checkpoints set position = 0, event_id = '', unknown_events = 0 where model = $1 and version = $2 and slot = $3`,
        [name, version, slot.name],
      );
    });
    this.held = { ...this.held, position: START, eventId: '', parked: new Set() };
    this.#events = 0;
    this.#written.clear();
    this.#keyed.clear();
  }

  /** What follows, as far as the log goes at this moment: whoever chases its end while events arrive never comes to one. */
  async *#pages(upTo = this.options.upTo): AsyncGenerator<readonly Recorded[]> {
    const { categories } = this.slot.projector;
    yield* pagesOf(this.feed, this.held.position, categories, upTo ?? (await this.feed.head(categories)));
  }

  #report(events: number, position: LogPosition): void {
    this.#events += events;
    this.options.onProgress?.({ events: this.#events, position });
    this.options.until.throwIfAborted();
  }

  /**
   * Folds from the first event in memory and copies the rows out at the end, or, when they take too much, the longest unchanged
   * ones on the way: most are then final and written once. What was written is read again when an event asks for it.
   */
  async #foldAndCopy(): Promise<void> {
    const { client, slot } = this;
    const { memory = MEMORY } = this.options;
    const fold = new Fold(slot.projector, { startsEmpty: true });
    let writing: Promise<void> = Promise.resolve();
    const written = async (): Promise<void> => {
      await writing;
      await this.#createKeys();
    };
    const application = new Application(client, slot, new Set(), written);
    let last: Recorded | undefined;
    for await (const page of this.#pages()) {
      await application.fold(fold, page);
      last = page.at(-1) ?? last;
      this.#report(page.length, last?.position ?? START);
      const isFull = fold.weight > memory || application.parkings.length > PARKINGS;
      if (!isFull) continue;
      await writing;
      // Goes on beside the folding, as long as no event asks for a row that may be under way.
      writing = this.#write(fold, application, KEPT * memory);
      writing.catch(() => {});
    }
    await writing;
    await this.#write(fold, application, 0);
    await this.#createKeys();
    if (!last) return;
    const moved = { position: last.position, eventId: identityOf(last), unknown: fold.unknown };
    await inTransaction(client, async () => {
      await lockHeld(client, slot, this.held);
      await moveCheckpoint(client, slot, this.held, moved);
    });
    this.held = { ...this.held, ...moved, parked: application.stalled };
  }

  /** Takes rows out of memory at once, until no more than so many bytes are left, and writes them. */
  async #write(fold: Fold, application: Application, left: number): Promise<void> {
    const { client, slot } = this;
    const changes = fold.takeOut(left);
    const taken = slot.tables.map((table) => ({ table, changes: changes(table.name) }));
    const parkings = application.parkings.splice(0);
    // Only what changes rows that were written before needs the key, which costs less the later it is made.
    await this.#createKeys(taken.flatMap(({ table, changes }) => (this.#written.has(table) && isChanging(changes) ? [table] : [])));
    await inTransaction(client, async () => {
      await lockHeld(client, slot, this.held);
      for (const { table, changes } of taken) await this.#writeTable(table, changes);
      await writeParkings(client, slot, parkings);
    });
  }

  /** While nothing was written before, nothing can be in the way of a copy. */
  async #writeTable(table: SlotTable, { fresh, put, gone, tuples }: Changes): Promise<void> {
    const isFirst = !this.#written.has(table);
    this.#written.add(table);
    await copyRows(this.client, table, isFirst ? [...fresh, ...put] : fresh, tuples);
    if (!isFirst) await writeChanges(this.client, table, { fresh: [], put, gone });
  }

  async #createKeys(tables = this.slot.tables): Promise<void> {
    const without = tables.filter((table) => !this.#keyed.has(table));
    await this.#alone(without.map(createKey));
    for (const table of without) this.#keyed.add(table);
  }

  /** Applies what follows, page after page, to tables that have their keys; up to this position, when one is given. */
  async catchUp(upTo?: LogPosition): Promise<void> {
    for await (const page of this.#pages(upTo)) {
      const { held } = await applyPage(this.client, this.slot, this.held, page);
      this.held = held;
      this.#report(page.length, held.position);
    }
  }

  /** Runs statements that may take long, and so outside of a transaction, once it is sure that the tables are still ours. */
  #alone(statements: readonly string[]): Promise<void> {
    const run = async (client: pg.ClientBase, statement: string): Promise<void> => {
      await inTransaction(client, () => lockHeld(client, this.slot, this.held));
      await client.query(statement);
    };
    return sideBySide(statements, run, this);
  }

  /** Fills the slot from the first event. Throws `Superseded` when somebody else has taken it over meanwhile. */
  async run(): Promise<void> {
    await this.#begin();
    try {
      await this.#foldAndCopy();
    } catch (error) {
      // Some row holds a value that the database refuses. Which event it came from shows only when they are written one by one.
      if (!isCausedByValues(error)) throw error;
      await this.#begin();
      await this.#createKeys();
    }
    await this.catchUp();
    const { tables } = this.slot;
    // The last ones, which may be searched for parts of texts, take the longest, and so begin first.
    await this.#alone(tables.flatMap(createIndexes).toReversed());
    await this.#alone(tables.map(analyze));
    await this.catchUp();
  }
}
