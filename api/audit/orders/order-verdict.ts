import { maxPosition, type Recorded, type StreamHead, type StreamName, readUnlessCut, StreamIncomplete } from '#domain/event-store.ts';
import type { OrderId } from '#domain/shared/ids.ts';
import { orderStream } from '#domain/order/order.ts';
import { paymentStream } from '#domain/payment/payment.ts';
import { myOrders } from '#projections/orders/my-orders.ts';
import { ordersDesk } from '#projections/orders/orders-desk.ts';
import type { Progress } from '#projections/reading/progress.ts';
import { verifyStream, type FieldDifference } from '#projections/storage/verify.ts';

import { parseHash, recomputedHash, verifyChain, type ChainFault, type ChainVerdict } from '../../event-store/chain.ts';
import type { StoredEvent } from '../../event-store/stored-event.ts';
import type { Shop } from '../../shop.ts';
import { inLogOrder, liveLog } from '../log/log-source.ts';
import { replayOrder, type Violation } from './order-history.ts';
import type { SavedHeads } from '../saved-heads.ts';

export type OrderVerdictDeps = Pick<Shop, 'store' | 'read'> & { readonly progress: Progress; readonly savedHeads: SavedHeads };

/** `GET /audit/orders/:id/verify` responds with this JSON. */
export type OrderVerdict = {
  readonly stream: StreamName;
  readonly chain: 'intact' | 'broken';
  /** The first revision differs here from what was appended. `foreign` means that the shop did not write the event. */
  readonly brokenAt?: number;
  readonly fault?: ChainFault | 'foreign';
  /** The text says how the event store cut the stream, and which events are missing. */
  readonly cut?: string;
  /** The field is set when an event was altered. */
  readonly hashes?: { readonly stored: string; readonly recomputed: string };
  readonly events: number;
  readonly savedHeads: number;
  /** No command can have caused these events, even if their chain is intact. */
  readonly unlawful: readonly Violation[];
  readonly readModel: 'matches' | 'differs';
  readonly compared: number;
  readonly differences: readonly FieldDifference[];
};

const MODELS = [myOrders, ordersDesk];
const ATTEMPTS = 3;
const TIMEOUT_MS = 2_000;

const checkChain = (stream: StreamName, stored: readonly StoredEvent[], saved: readonly StreamHead[]) => {
  const verdict: ChainVerdict = verifyChain(stream, inLogOrder(stored), saved);
  if (verdict.chain === 'intact') return { chain: verdict.chain };
  const { brokenAt, fault } = verdict;
  const there = stored.find(({ revision }) => revision === brokenAt);
  const isForeign = fault === 'altered' && there !== undefined && parseHash(there.metadata) === '';
  const broken = { chain: verdict.chain, brokenAt, fault: isForeign ? ('foreign' as const) : fault };
  if (!there || broken.fault !== 'altered') return broken;
  const before = stored.find(({ revision }) => revision === brokenAt - 1);
  const hashes = { stored: parseHash(there.metadata), recomputed: recomputedHash(before ? parseHash(before.metadata) : '', there) };
  // The hashes are equal if only a saved head shows the change.
  return hashes.stored === hashes.recomputed ? broken : { ...broken, hashes };
};

type History = { readonly stream: StreamName; readonly events: readonly Recorded[] };

const compareRows = async ({ read, progress }: OrderVerdictDeps, histories: readonly History[]) => {
  const last = maxPosition(histories.map(({ events }) => events.at(-1)?.position));
  if (last !== undefined) await Promise.all(MODELS.map(({ name }) => progress.waitFor(name, last, TIMEOUT_MS)));
  const verified = await Promise.all(
    MODELS.flatMap((model) => histories.map(({ stream, events }) => verifyStream(model, stream, events, read))),
  );
  return {
    compared: verified.reduce((all, { compared }) => all + compared, 0),
    differences: verified.flatMap(({ differences }) => differences),
  };
};

const orCut = (error: unknown): StreamIncomplete => {
  if (error instanceof StreamIncomplete) return error;
  throw error;
};

/** A cut stream leaves nothing to compare. */
const cutVerdict = ({ stream, from, message }: StreamIncomplete, savedHeads: number): OrderVerdict => ({
  stream,
  chain: 'broken',
  brokenAt: from,
  fault: 'missing',
  cut: message,
  events: 0,
  savedHeads,
  unlawful: [],
  readModel: 'differs',
  compared: 0,
  differences: [],
});

/**
 * Compares the chain with stored events and saved heads, the history with the shop's rules, and the read models' rows with the log. Returns
 * undefined for an order that never existed.
 */
export const verifyOrder = async (deps: OrderVerdictDeps, id: OrderId): Promise<OrderVerdict | undefined> => {
  const stream = orderStream(id);
  for (let attempt = 1; ; attempt++) {
    const [history, saved] = await Promise.all([liveLog(deps.store).history(stream).catch(orCut), deps.savedHeads.of(stream)]);
    if (history instanceof StreamIncomplete) return cutVerdict(history, saved.length);
    const { stored, read } = history;
    if (stored.length === 0 && saved.length === 0) return undefined;
    const { events: money } = await readUnlessCut(deps.store, paymentStream(id));
    const { compared, differences } = await compareRows(deps, [
      { stream, events: read },
      { stream: paymentStream(id), events: money },
    ]);
    // The order may have changed between reading log and rows.
    const isMoving = differences.length > 0 && (await deps.store.storedStream(stream, stored.at(-1)?.revision, 1)).length > 0;
    if (isMoving && attempt < ATTEMPTS) continue;
    return {
      stream,
      ...checkChain(stream, stored, saved),
      events: stored.length,
      savedHeads: saved.length,
      unlawful: replayOrder(id, read).objections,
      readModel: differences.length === 0 ? 'matches' : 'differs',
      compared,
      differences,
    };
  }
};
