import { createSlice, original, type PayloadAction, type ThunkAction, type UnknownAction } from '@reduxjs/toolkit';
import pMap from 'p-map';
import type { ShipmentTexts } from '#domain/order/shipment-texts.ts';
import type { OrderId } from '#domain/shared/ids.ts';
import { api, getMessage, getRetryAfter } from '../../../../lib/http/api.ts';
import { type IdempotencyKeys, withIdempotencyKey } from '../../../../lib/http/idempotency-keys.ts';
import { adminApi, orderUrl, ORDER_MOVED } from '../../admin-api.ts';
import type { AdminOrder } from '../../admin-types.ts';
import type { Deed } from '../next-deed.ts';

/** One order of a batch, as it was before. `shipment` and the state of supply are for shipping. */
export type Job = {
  readonly order: AdminOrder;
  readonly shipment?: Partial<ShipmentTexts> & { readonly placeOfSupply?: string };
};

export type Outcome = { readonly state: 'waits' | 'busy' | 'done' | 'stopped' } | { readonly state: 'failed'; readonly why: string };

export type Batch = {
  readonly deed: Deed;
  readonly rows: readonly (Job & { readonly outcome: Outcome })[];
  readonly isRunning: boolean;
  readonly isStopping: boolean;
  /** Its results were shown. */
  readonly isSeen: boolean;
};

export const batchSlice = createSlice({
  name: 'batch',
  initialState: null as Batch | null,
  reducers: {
    batchStarted: (_, { payload: { deed, jobs } }: PayloadAction<{ readonly deed: Deed; readonly jobs: readonly Job[] }>): Batch => ({
      deed,
      rows: jobs.map((job) => ({ ...job, outcome: { state: 'waits' } })),
      isRunning: true,
      isStopping: false,
      isSeen: false,
    }),
    jobSettled: (batch, { payload: { id, outcome } }: PayloadAction<{ readonly id: OrderId; readonly outcome: Outcome }>) => {
      // Looking through the original spares a draft of each of up to thousands of rows.
      const row = batch?.rows[original(batch)?.rows.findIndex(({ order }) => order._id === id) ?? -1];
      if (row) row.outcome = outcome;
    },
    batchStopped: (batch) => {
      if (batch) batch.isStopping = true;
    },
    batchEnded: (batch) => {
      if (batch) batch.isRunning = false;
    },
    resultsSeen: (batch) => {
      if (batch) batch.isSeen = true;
    },
  },
});

const { batchStarted, jobSettled, batchEnded } = batchSlice.actions;
export const { batchStopped, resultsSeen } = batchSlice.actions;

/** So many orders are under way at the same time. */
const AT_ONCE = 4;
/** A server that is busy says when to come again. */
const MOST_TRIES = 5;

const callOf: Readonly<Record<Deed, (job: Job) => readonly [string, object]>> = {
  confirm: () => ['status', { status: 'confirmed', note: '' }],
  pack: () => ['packed', { packed: true }],
  ship: ({ shipment }) => ['status', { status: 'shipped', note: '', ...shipment }],
  deliver: () => ['status', { status: 'delivered', note: '' }],
};

const rest = (seconds: number) => new Promise<void>((resolve) => setTimeout(resolve, seconds * 1000));

/** Sends under a key of its own, so that a repetition after a lost answer is no second command. */
const send = async (keys: IdempotencyKeys, deed: Deed, job: Job, triesLeft = MOST_TRIES): Promise<void> => {
  const [command, body] = callOf[deed](job);
  const { _id: id } = job.order;
  try {
    await withIdempotencyKey(keys, [id, command, body], (key) =>
      api.put(orderUrl(id, command), body, { headers: { 'Idempotency-Key': key } }),
    );
  } catch (error) {
    const seconds = getRetryAfter(error);
    if (seconds === undefined || triesLeft === 1) throw error;
    await rest(seconds);
    await send(keys, deed, job, triesLeft - 1);
  }
};

const warn = (event: BeforeUnloadEvent): void => event.preventDefault();

/**
 * Does the same with many orders, a few at a time: one that fails stops no other, and each has its result. It belongs to the admin's store
 * and not to a screen, so that it goes on when the screen is left; the browser warns before the whole page is.
 */
export const runBatch =
  (deed: Deed, jobs: readonly Job[]): ThunkAction<Promise<void>, { readonly batch: Batch | null }, IdempotencyKeys, UnknownAction> =>
  async (dispatch, getState, keys) => {
    if (jobs.length === 0 || getState().batch?.isRunning) return;
    dispatch(batchStarted({ deed, jobs }));
    const settle = (id: OrderId, outcome: Outcome) => dispatch(jobSettled({ id, outcome }));
    addEventListener('beforeunload', warn);
    const work = async (job: Job): Promise<void> => {
      const { _id: id } = job.order;
      if (getState().batch?.isStopping) return void settle(id, { state: 'stopped' });
      settle(id, { state: 'busy' });
      try {
        await send(keys, deed, job);
        settle(id, { state: 'done' });
      } catch (error) {
        settle(id, { state: 'failed', why: getMessage(error) });
      }
    };
    await pMap(jobs, work, { concurrency: AT_ONCE });
    removeEventListener('beforeunload', warn);
    dispatch(batchEnded());
    dispatch(adminApi.util.invalidateTags([...ORDER_MOVED]));
  };

/** How far a batch has come. */
export const countOutcomes = ({ rows }: Batch) => {
  const count = (state: Outcome['state']) => rows.filter(({ outcome }) => outcome.state === state).length;
  return { done: count('done'), failed: count('failed'), stopped: count('stopped'), of: rows.length };
};
