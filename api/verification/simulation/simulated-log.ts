import { EventStoreUnavailable, type Cancellation, type Feed, type LogPosition } from '#domain/event-store.ts';

import { logReader, type TailSource } from '../../event-store/log-reader.ts';
import { streamCategories } from '../../event-store/stored-event.ts';
import { polledTail } from '../../event-store/polled-tail.ts';
import { WakeSignal } from '#projections/follower/wake-signal.ts';
import type { Shop } from '../../shop.ts';
import type { Life } from './scheduler.ts';
import { createNetworkCall, throughNetwork } from './simulated-network.ts';
import { getNetworkParts, type World } from './world.ts';

/** The log is polled at least every `POLL_EVERY` ms; a signal arrives within `SIGNAL_WITHIN` ms. */
const POLL_EVERY = 1_000;
const SIGNAL_WITHIN = 40;
/** The log reader waits this many ms between two attempts. */
const RETRY_DELAY_MS = 50;

/** These are a tenth of a percent of the real limits, so that followers fall behind and read their own pages. */
const LIMITS = { mostKept: 6, page: 8 };

/** Resolves only when `until` is aborted. */
const aborted = (_: number, until?: Cancellation): Promise<void> =>
  new Promise((resolve) => {
    until?.addEventListener('abort', resolve);
    if (until?.aborted) resolve();
  });

const unavailable = (): Error => new EventStoreUnavailable('No answer in time');

/** Opens the log for a process: a store behind a simulated network, read by the process's only log reader, which is signalled or polls. */
export const openLog = (world: World, life: Life): Shop['store'] => {
  const { scheduler, plants } = world;
  const { random } = scheduler;
  const viaNetwork = createNetworkCall(getNetworkParts(world), life, unavailable);
  const clock = scheduler.clockOf(life);
  const appended = new WakeSignal();
  world.onAppended(life, () => {
    if (!random.happens(world.odds.unwoken)) scheduler.after(life, 'is woken', random.upTo(SIGNAL_WITHIN), () => appended.notify());
  });

  /** Retries until the call succeeds, because a log reader survives outages. */
  const insisting = async <Answer>(what: string, work: () => Promise<Answer>): Promise<Answer> => {
    for (;;) {
      const answer = await viaNetwork(what, work).catch(() => undefined);
      if (answer !== undefined) return answer;
      await clock.sleep(RETRY_DELAY_MS);
    }
  };
  const page: Feed['page'] = async (after, limit, categories) => {
    const events = await insisting(`read on after ${after}`, () => world.store.page(after, limit, categories));
    return plants.page?.(events, random) ?? events;
  };
  const tail: TailSource['tail'] = (after, until) => {
    const readPage = (from: LogPosition, limit: number) => page(from, limit, streamCategories);
    const clockOfTail = plants.isUnpolled ? { ...clock, sleep: aborted } : clock;
    return polledTail({ page: readPage, appended, pollEvery: POLL_EVERY, apart: 0, clock: clockOfTail }, after, until);
  };
  const end = () => insisting('look for the end of the log', () => world.store.head(streamCategories));

  const store = throughNetwork(world.store, 'of the log', viaNetwork);
  const ownStore: Shop['store'] = {
    ...world.store,
    read: (stream, after) => viaNetwork(`read ${stream}`, () => world.store.read(stream, after)),
    append: (stream, expected, events, metadata) => {
      const types = events.map(({ type }) => type).join(', ');
      const work = () => world.store.append(stream, expected, events, metadata);
      return viaNetwork(`append ${types} to ${stream} after ${expected.revision}`, work);
    },
    page: store.page,
    at: store.at,
    head: store.head,
    storedStream: store.storedStream,
    storedPage: store.storedPage,
    follow: logReader({ page, end, tail }, { now: clock.now, ...LIMITS }).follow,
  };
  return plants.store?.(ownStore) ?? ownStore;
};
