import type pg from 'pg';

import { logPosition, START, type LogPosition } from '#domain/event-store.ts';

import type { ReadDatabase } from '../database.ts';
import { sleep } from '../engine/clock.ts';
import { PROGRESS_CHANNEL } from '../storage/checkpoints.ts';
import type { Projector } from '../engine/define-projector.ts';

/** How waiting for a position ended: it is applied; it is not, in the time given; or its event is parked and will not be soon. */
export type Freshness = 'fresh' | 'stale' | 'parked';

/** How far each read model is, known in this process without asking. */
export interface Progress {
  /** Position of the newest event applied; `START` before the first, or when the model is not built yet. */
  position(model: string): LogPosition;
  /** A text without blanks for the state of the model's rows: another one whenever they have changed. */
  mark(model: string): string;
  /** Whether the tables of this release's version are there to be asked. */
  isBuilt(model: string): boolean;
  /** Whether events of the model are parked. */
  hasParked(model: string): boolean;
  /** Calls back whenever the model's rows have changed. Answers with a function that ends it. */
  onAdvance(model: string, callback: (position: LogPosition) => void): () => void;
  /** Waits until the model has applied the event at this position, `milliseconds` at most. `START` waits for the model to be built. */
  waitFor(model: string, position: LogPosition, milliseconds: number): Promise<Freshness>;
  /** Stops listening. */
  close(): Promise<void>;
}

type State = { version: number; position: LogPosition; epoch: number; built: boolean; parked: boolean };

/** Notifications lost with a connection, or never sent, are made up for after this long, in milliseconds. */
const POLL = 1_000;

class ListeningProgress implements Progress {
  readonly #states: Map<string, State>;
  readonly #listeners = new Map<string, Set<(position: LogPosition) => void>>();
  readonly #end = new AbortController();
  #running: Promise<void> = Promise.resolve();
  /** The connection that listens, while there is one. */
  #client: pg.PoolClient | undefined;

  constructor(
    readonly database: ReadDatabase,
    models: readonly Projector[],
  ) {
    const before = { position: START, epoch: 0, built: false, parked: false };
    this.#states = new Map(models.map(({ name, version }) => [name, { version, ...before }]));
  }

  async start(): Promise<void> {
    try {
      await this.#look();
    } catch (error) {
      this.#hangUp();
      throw error;
    }
    this.#running = this.#keepLooking();
  }

  position = (model: string): LogPosition => this.#stateOf(model).position;
  mark = (model: string): string => `${this.#stateOf(model).position}.${this.#stateOf(model).epoch}`;
  isBuilt = (model: string): boolean => this.#stateOf(model).built;
  hasParked = (model: string): boolean => this.#stateOf(model).parked;

  onAdvance(model: string, callback: (position: LogPosition) => void): () => void {
    this.#stateOf(model);
    const listeners = this.#listeners.get(model) ?? new Set();
    this.#listeners.set(model, listeners.add(callback));
    return () => listeners.delete(callback);
  }

  async waitFor(model: string, position: LogPosition, milliseconds: number): Promise<Freshness> {
    if (!(await this.#reached(model, position, milliseconds))) return 'stale';
    return this.#stateOf(model).parked && (await this.#isParked(model, position)) ? 'parked' : 'fresh';
  }

  async close(): Promise<void> {
    this.#end.abort();
    await this.#running;
  }

  #stateOf(model: string): State {
    const state = this.#states.get(model);
    if (!state) throw new Error(`No such read model: ${model}`);
    return state;
  }

  #has = (model: string, position: LogPosition): boolean => this.isBuilt(model) && this.position(model) >= position;

  #reached(model: string, position: LogPosition, milliseconds: number): Promise<boolean> {
    if (this.#has(model, position)) return Promise.resolve(true);
    return new Promise((resolve) => {
      const done = (reached: boolean) => {
        clearTimeout(timer);
        stop();
        resolve(reached);
      };
      const timer = setTimeout(() => done(false), milliseconds);
      const stop = this.onAdvance(model, () => this.#has(model, position) && done(true));
    });
  }

  async #isParked(model: string, position: LogPosition): Promise<boolean> {
    const { rowCount } = await this.database.pool.query(
      `select 1 from read.parked where model = $1 and version = $2 and slot = 'live' and position = $3`,
      [model, this.#stateOf(model).version, position],
    );
    return rowCount === 1;
  }

  /** Takes in what was heard or read, and tells whoever wants to know. */
  #learn(model: string, heard: State): void {
    const state = this.#states.get(model);
    if (!state || state.version !== heard.version) return;
    // Heard late, after the poll has read on: older than what is known.
    if (heard.epoch < state.epoch || (heard.epoch === state.epoch && heard.position < state.position)) return;
    const moved = heard.position !== state.position || heard.epoch !== state.epoch || heard.built !== state.built;
    this.#states.set(model, heard);
    if (moved) for (const callback of this.#listeners.get(model) ?? []) callback(heard.position);
  }

  #hear = ({ payload = '' }: pg.Notification): void => {
    const [model, version, position, epoch, parked] = payload.split(' ');
    if (!model || !position) return;
    const state = { version: Number(version), position: logPosition(BigInt(position)), epoch: Number(epoch), built: true };
    this.#learn(model, { ...state, parked: parked === '1' });
  };

  async #poll(): Promise<void> {
    type Row = State & { model: string; position: bigint };
    const { rows } = await this.database.pool.query<Row>(
      `select model, version, position, epoch, built_at is not null as built,
              exists (select 1 from read.parked p where (p.model, p.version, p.slot) = (c.model, c.version, c.slot)) as parked
       from read.checkpoints c where slot = 'live' and model = any($1)`,
      [[...this.#states.keys()]],
    );
    for (const { model, position, ...state } of rows) this.#learn(model, { ...state, position: logPosition(position) });
  }

  /** Listens unless it does already, and polls for what was missed. */
  async #look(): Promise<void> {
    if (!this.#client) await this.#listen();
    await this.#poll();
  }

  async #listen(): Promise<void> {
    const client = await this.database.pool.connect();
    this.#client = client;
    client.once('end', () => this.#client === client && this.#hangUp());
    client.on('notification', this.#hear);
    try {
      await client.query(`listen ${PROGRESS_CHANNEL}`);
    } catch (error) {
      this.#hangUp();
      throw error;
    }
  }

  #hangUp(): void {
    this.#client?.release(true);
    this.#client = undefined;
  }

  async #keepLooking(): Promise<void> {
    const { signal } = this.#end;
    for (;;) {
      await sleep(POLL, signal);
      if (signal.aborted) return this.#hangUp();
      // While the database is away positions stay as they are known.
      await this.#look().catch(() => {});
    }
  }
}

/** Follows how far the read models are: told by the database, with a look at the checkpoints every second to make sure. */
export const followProgress = async (database: ReadDatabase, models: readonly Projector[]): Promise<Progress> => {
  const progress = new ListeningProgress(database, models);
  await progress.start();
  return progress;
};
