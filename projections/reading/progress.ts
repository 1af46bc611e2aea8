import { logPosition, START, type LogPosition } from '#domain/event-store.ts';

import type { ReadDatabase } from '../database.ts';
import { PROGRESS_CHANNEL } from '../storage/checkpoints.ts';
import { selectParked } from '../storage/status.ts';
import { listen } from '../follower/listen.ts';
import { inBackground, repeatEvery, type BackgroundWork } from '../follower/repeat-every.ts';
import type { Projector } from '../engine/define-projector.ts';

/**
 * Waiting for a position ends when it is applied, when it is not applied in time, or when the event is parked and will not be applied soon.
 */
export type Freshness = 'fresh' | 'stale' | 'parked';

/** Knows the progress of each read model without a query. */
export interface Progress {
  /** Returns the position of the newest event applied; `START` before the first, or when the model is not built yet. */
  position(model: string): LogPosition;
  /** Grows when rows were replaced at the same position: by a rebuild, or after an erasure. */
  epoch(model: string): number;
  /** Returns a text without blanks that changes whenever the model's rows have changed. */
  mark(model: string): string;
  isBuilt(model: string): boolean;
  hasParked(model: string): boolean;
  /** Calls back whenever the model's rows have changed. Returns a function that unsubscribes. */
  onAdvance(model: string, callback: (position: LogPosition) => void): () => void;
  /** Waits until the model has applied the event at this position, at most `milliseconds`. With `START`, waits until it is built. */
  waitFor(model: string, position: LogPosition, milliseconds: number): Promise<Freshness>;
  close(): Promise<void>;
}

type State = { version: number; position: LogPosition; epoch: number; built: boolean; parked: boolean };

const isBefore = (one: State, other: State): boolean =>
  one.epoch < other.epoch || (one.epoch === other.epoch && one.position < other.position);

/** Checkpoints are polled this often, to make up for lost notifications. */
const POLL_EVERY_MS = 1_000;

class ListeningProgress implements Progress {
  readonly #states: Map<string, State>;
  readonly #listeners = new Map<string, Set<(position: LogPosition) => void>>();
  #running: BackgroundWork | undefined;

  constructor(
    readonly database: ReadDatabase,
    models: readonly Projector[],
  ) {
    const before = { position: START, epoch: 0, built: false, parked: false };
    this.#states = new Map(models.map(({ name, version }) => [name, { version, ...before }]));
  }

  async start(): Promise<void> {
    await this.#poll();
    const { pool } = this.database;
    const listener = { pool, channel: PROGRESS_CHANNEL, onPayload: this.#hear, onListening: () => void this.#look() };
    this.#running = inBackground((signal) => {
      const polling = repeatEvery(POLL_EVERY_MS, () => this.#look(), { signal, onError: () => {}, firstAfter: POLL_EVERY_MS });
      return Promise.all([listen(listener, signal), polling]);
    });
  }

  position = (model: string): LogPosition => this.#stateOf(model).position;
  epoch = (model: string): number => this.#stateOf(model).epoch;
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
    await this.#running?.close();
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
    const { version } = this.#stateOf(model);
    const parked = await selectParked(this.database.db, { name: model, version }).where('position', '=', position).execute();
    return parked.length === 1;
  }

  /**
   * Stores a notification or polled checkpoint and calls back if it is new. `known` is what was known before it was polled; it can be later
   * than the poll only after a failover to a standby that lacks the latest commits.
   */
  #learn(model: string, heard: State, known = heard): void {
    const state = this.#states.get(model);
    if (!state || state.version !== heard.version) return;
    // The notification is out of date: a poll has read a later checkpoint since.
    if (isBefore(heard, state) && !isBefore(heard, known)) return;
    const moved = heard.position !== state.position || heard.epoch !== state.epoch || heard.built !== state.built;
    this.#states.set(model, heard);
    if (moved) for (const callback of this.#listeners.get(model) ?? []) callback(heard.position);
  }

  #hear = (payload: string): void => {
    const [model, version, position, epoch, parked] = payload.split(' ');
    if (!model || !position) return;
    const state = { version: Number(version), position: logPosition(BigInt(position)), epoch: Number(epoch), built: true };
    this.#learn(model, { ...state, parked: parked === '1' });
  };

  async #poll(): Promise<void> {
    const known = new Map(this.#states);
    const rows = await this.database.db
      .selectFrom('checkpoints as c')
      .select(['c.model', 'c.version', 'c.position', 'c.epoch', 'c.built_at'])
      .select(({ exists, selectFrom }) => {
        const parked = selectFrom('parked as p').whereRef('p.model', '=', 'c.model').whereRef('p.version', '=', 'c.version');
        return exists(parked.select('p.position').whereRef('p.slot', '=', 'c.slot'))
          .$castTo<boolean>()
          .as('parked');
      })
      .where('c.slot', '=', 'live')
      .execute();
    for (const { model, position, built_at, ...row } of rows)
      this.#learn(model, { ...row, position: logPosition(position), built: built_at !== null }, known.get(model));
  }

  /** Polls for missed notifications. During an outage of the database, positions stay as they are. */
  #look(): Promise<void> {
    return this.#poll().catch(() => {});
  }
}

/** Follows the progress of read models by notifications from the database, and by a poll every second. */
export const followProgress = async (database: ReadDatabase, models: readonly Projector[]): Promise<Progress> => {
  const progress = new ListeningProgress(database, models);
  await progress.start();
  return progress;
};
