import { Gauge, type Registry } from 'prom-client';
import type pg from 'pg';

import type { Progress } from '#projections/reading/progress.ts';
import type { Projector } from '#projections/engine/define-projector.ts';
import { measureLag, readStatus } from '#projections/storage/status.ts';

import { withTimeout } from '../platform/retry.ts';
import { oldestDueFor, outboxFigures } from '../mail/sender.ts';
import type { Shop } from '../shop.ts';
import { parkedStreams, reactionsProgress } from '../reactions/postgres-reaction-storage.ts';

export type Watched = {
  readonly shop: Pick<Shop, 'store' | 'read' | 'db' | 'pool' | 'now' | 'registry' | 'where'>;
  readonly progress: Progress;
  readonly models: readonly Projector[];
  readonly isGatewayAvailable: () => boolean;
  readonly keyRotationDays: number;
  /** Returns the number of processes that are not open. Undefined for a single process. */
  readonly notOpen?: (() => number) | undefined;
};

/** Lags are counted up to this number, because polling must not read the whole log. */
const COUNTED = 2_000;

/** If the database takes longer than this many ms, its gauges keep their values. */
const ANSWERS_WITHIN = 1_500;

const createGaugeFactory =
  (registry: Registry) =>
  <Label extends string>(name: string, help: string, ...labelNames: Label[]): Gauge<Label> =>
    new Gauge({ name: `ruhani_${name}`, help, labelNames, registers: [registry] });

const observeProgress = ({ shop, progress, models }: Watched): (() => void) => {
  const gauge = createGaugeFactory(shop.registry);
  const position = gauge('read_model_position', 'Position in the log of the newest event that a read model has applied', 'model');
  const parked = gauge('read_model_parked', '1 when a read model has parked events, else 0', 'model');
  return () => {
    for (const { name } of models) {
      position.set({ model: name }, Number(progress.position(name)));
      parked.set({ model: name }, Number(progress.hasParked(name)));
    }
  };
};

const observePools = ({ shop }: Watched): (() => void) => {
  const connections = createGaugeFactory(shop.registry)(
    'pool_connections',
    'Connections to Postgres by their pool, and who waits for one',
    'pool',
    'state',
  );
  const show = (pool: string, { totalCount, idleCount, waitingCount }: pg.Pool) => {
    connections.set({ pool, state: 'busy' }, totalCount - idleCount);
    connections.set({ pool, state: 'idle' }, idleCount);
    connections.set({ pool, state: 'waited_for' }, waitingCount);
  };
  return () => {
    show('shop', shop.pool);
    show('read', shop.read.pool);
  };
};

const observeLag = ({ shop, models }: Watched): (() => Promise<void>) => {
  const gauge = createGaugeFactory(shop.registry);
  const events = gauge('read_model_lag_events', `Events that a read model has not applied yet, counted up to ${COUNTED}`, 'model');
  const seconds = gauge('read_model_lag_seconds', 'How long the oldest of them has been waiting', 'model');
  const parked = gauge('read_model_parked_events', 'Events that a read model has parked', 'model');
  const isRewound = gauge('read_model_rewound', '1 when the log is not the one that a read model was built from, else 0', 'model');
  const show = async (model: Projector): Promise<void> => {
    const status = await readStatus(model, shop.store, shop.read, new Date(shop.now()), COUNTED);
    const label = { model: model.name };
    events.set(label, status.lag.events);
    seconds.set(label, status.lag.seconds);
    parked.set(label, status.parked.events);
    isRewound.set(label, Number(status.rewound));
  };
  return async () => void (await Promise.all(models.map(show)));
};

const observeReactions = ({ shop }: Watched): (() => Promise<void>) => {
  const gauge = createGaugeFactory(shop.registry);
  const events = gauge('reaction_lag_events', `Events that a reaction has not handled yet, counted up to ${COUNTED}`, 'reaction');
  const seconds = gauge('reaction_lag_seconds', 'How long the oldest of them has been waiting', 'reaction');
  const isFollowed = gauge('reaction_followed', '1 when a process follows the log for a reaction, else 0', 'reaction');
  return async () => {
    for (const { name, isFollowed: held, position, ...followed } of await reactionsProgress(shop.db)) {
      const lag = await measureLag(shop.store, followed, position, new Date(shop.now()), COUNTED);
      events.set({ reaction: name }, lag.events);
      seconds.set({ reaction: name }, lag.seconds);
      isFollowed.set({ reaction: name }, Number(held));
    }
  };
};

const observeWork = ({ shop }: Watched): (() => Promise<void>) => {
  const gauge = createGaugeFactory(shop.registry);
  const mails = gauge('outbox_mails', 'Mails that are not sent: waiting, or parked until somebody looks at them', 'state');
  const oldest = gauge('outbox_oldest_seconds', 'How long the oldest mail has been waiting');
  const due = gauge('outbox_due_seconds', 'How long the oldest mail that could be sent has been due');
  const parked = gauge('reactions_parked', 'Streams whose reaction is parked until somebody looks at it');
  const db = shop.db;
  return async () => {
    const [outbox, dueFor, streams] = await Promise.all([outboxFigures(db), oldestDueFor(db), parkedStreams(db)]);
    due.set(dueFor);
    mails.set({ state: 'waiting' }, outbox.waiting);
    mails.set({ state: 'parked' }, outbox.parked);
    oldest.set(outbox.waitingSince ? Math.max(0, (Date.parse(shop.now()) - outbox.waitingSince.getTime()) / 1_000) : 0);
    parked.set(streams.reduce((sum, { count }) => sum + Number(count), 0));
  };
};

const inTime = (work: Promise<unknown>): Promise<boolean> =>
  withTimeout(ANSWERS_WITHIN, () => new Error('No answer in time'), work).then(
    () => true,
    () => false,
  );

/**
 * Registers the gauges of read models, connections, mails and reactions. Returns a function that updates them and never throws: values that
 * do not arrive in time stay, and `ruhani_database_answers` is 0.
 */
export const observeShop = (watched: Watched): (() => Promise<void>) => {
  const known = [observeProgress(watched), observePools(watched)];
  const asked = [observeLag(watched), observeReactions(watched), observeWork(watched)];
  const answers = createGaugeFactory(watched.shop.registry)(
    'database_answers',
    '1 when the database told the gauges their values in time, else 0',
  );
  return async () => {
    for (const show of known) show();
    answers.set(Number(await inTime(Promise.all(asked.map((ask) => ask())))));
  };
};
