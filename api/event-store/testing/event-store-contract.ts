import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  logPosition,
  NO_STREAM,
  START,
  WrongHead,
  WrongRevision,
  type EventStore,
  type Recorded,
  type StreamHead,
  type StreamName,
} from '#domain/event-store.ts';
import { verifyChain } from '../chain.ts';
import type { StoredLog } from '../stored-event.ts';
import { expectNothingSkipped, sixtyWriters } from './sixty-writers.ts';
import { command, nextPage, pageUntil, priceMoved, restocked, soldOut, streamId, untilSeen } from './writing.ts';

export type OpenStore = () => Promise<EventStore & StoredLog>;

const PRODUCTS = ['product'] as const;
/** A follower must wake up within this many ms; a wake-up that waited for polling takes a second or more. */
const PROMPT_MS = 500;

/** Tests what every adapter must do. `open` opens the same log each time; others may be writing to it. */
export const describeEventStore = (name: string, open: OpenStore): void => {
  describe(name, () => {
    let store: EventStore & StoredLog;
    beforeAll(async () => {
      store = await open();
    });
    afterAll(() => store.close());

    describe('a stream', () => {
      test('is empty before the first append', async () => {
        expect(await store.read(streamId())).toEqual({ events: [], head: NO_STREAM });
      });

      test('returns what was appended, in order, with actor and cause', async () => {
        const stream = streamId();
        const metadata = command();
        const { head, position } = await store.append(stream, NO_STREAM, [soldOut, restocked], metadata);
        const history = await store.read(stream);

        expect(history.head).toEqual(head);
        expect(history.events).toMatchObject([
          { stream, revision: 0, ...soldOut, metadata },
          { stream, revision: 1, ...restocked, metadata: { ...metadata, version: 1, hash: head.hash } },
        ]);
        expect(history.events.at(-1)?.position).toBe(position);
        expect(new Set(history.events.map((event) => event.metadata.eventId)).size).toBe(2);
      });

      test('can be read from a given head', async () => {
        const stream = streamId();
        const first = await store.append(stream, NO_STREAM, [soldOut], command());
        const second = await store.append(stream, first.head, [restocked], command());

        const history = await store.read(stream, first.head);
        expect(history.events).toMatchObject([{ revision: 1, ...restocked }]);
        expect(history.head).toEqual(second.head);
        expect(await store.read(stream, second.head)).toEqual({ events: [], head: second.head });
      });

      test('is a hash chain that can be verified', async () => {
        const stream = streamId();
        const { head } = await store.append(stream, NO_STREAM, [soldOut, restocked], command());
        const end = await store.append(stream, head, [soldOut], command());
        expect(verifyChain(stream, await store.storedStream(stream))).toEqual({ chain: 'intact', head: end.head });
      });
    });

    describe('an append', () => {
      test('without the last event in the stream is refused with the actual revision', async () => {
        const stream = streamId();
        const { head } = await store.append(stream, NO_STREAM, [soldOut], command());
        await store.append(stream, head, [restocked], command());
        await expect(store.append(stream, head, [soldOut], command())).rejects.toThrow(new WrongRevision(stream, 0, 1));
        await expect(store.append(stream, NO_STREAM, [soldOut, restocked, soldOut], command())).rejects.toThrow(
          new WrongRevision(stream, -1, 1),
        );
        expect((await store.read(stream)).events).toHaveLength(2);
      });

      test('beyond the end of the stream is refused', async () => {
        const stream = streamId();
        const ahead: StreamHead = { revision: 4, hash: 'a'.repeat(64) };
        await expect(store.append(stream, ahead, [soldOut], command())).rejects.toThrow(new WrongRevision(stream, 4, -1));
        expect(await store.read(stream)).toEqual({ events: [], head: NO_STREAM });
      });

      test('repeated by the same command changes nothing, returns the same result and marks it as repeated', async () => {
        const stream = streamId();
        const metadata = command();
        const first = await store.append(stream, NO_STREAM, [soldOut, restocked], metadata);
        expect(first.repeated).toBe(false);
        await clockMovesOn();
        expect(await store.append(stream, NO_STREAM, [soldOut, restocked], metadata)).toEqual({ ...first, repeated: true });

        await store.append(stream, first.head, [soldOut], command());
        expect(await store.append(stream, NO_STREAM, [soldOut, restocked], metadata)).toEqual({ ...first, repeated: true });
        expect((await store.read(stream)).events).toHaveLength(3);
      });

      test.each([
        ['other data', [priceMoved(2)]],
        ['an event of another type', [soldOut]],
        ['more events', [priceMoved(1), soldOut, restocked]],
      ])('repeated by the same command with %s returns what is in the log', async (_, decidedNow) => {
        const stream = streamId();
        const metadata = command();
        const first = await store.append(stream, NO_STREAM, [priceMoved(1), restocked], metadata);
        expect(await store.append(stream, NO_STREAM, decidedNow, metadata)).toEqual({ ...first, repeated: true });
        expect((await store.read(stream)).events).toMatchObject([priceMoved(1), restocked]);
      });

      test('sent eight times at once by the same command happens once, and the others are marked as repeated', async () => {
        const stream = streamId();
        const metadata = command();
        const answers = await Promise.all(Array.from({ length: 8 }, () => store.append(stream, NO_STREAM, [soldOut, restocked], metadata)));
        expect(new Set(answers.map((answer) => answer.head.hash)).size).toBe(1);
        expect((await store.read(stream)).head).toEqual(answers[0]?.head);
        expect(answers.filter(({ repeated }) => !repeated)).toHaveLength(1);
      });

      test('on the same head by twenty writers succeeds for one', async () => {
        const stream = streamId();
        const tries = await Promise.allSettled(Array.from({ length: 20 }, () => store.append(stream, NO_STREAM, [soldOut], command())));
        const lost = tries.filter((each) => each.status === 'rejected');
        expect(lost).toHaveLength(19);
        expect(lost.map((each): unknown => each.reason)).toEqual(lost.map(() => new WrongRevision(stream, -1, 0)));
      });

      test.each([3, 16, 40])('returns its own position when %i arrive at once', async (count) => {
        const refused = streamId();
        await store.append(refused, NO_STREAM, [soldOut], command());
        const streams = Array.from({ length: count }, streamId);
        const answers = await Promise.allSettled([
          ...streams.map((stream, index) => store.append(stream, NO_STREAM, [priceMoved(index)], command())),
          store.append(refused, NO_STREAM, [soldOut], command()),
        ]);
        expect(answers.pop()?.status).toBe('rejected');
        const events = await Promise.all(
          answers.map((answer) => (answer.status === 'fulfilled' ? store.at(answer.value.position) : undefined)),
        );
        expect(events.map((event) => [event?.stream, event?.data])).toEqual(
          streams.map((stream, index) => [stream, priceMoved(index).data]),
        );

        const next = await Promise.all(
          streams.map(async (stream) => store.append(stream, (await store.read(stream)).head, [soldOut], command())),
        );
        const after = await Promise.all(next.map(({ position }) => store.at(position)));
        expect(after.map((event) => [event?.stream, event?.revision])).toEqual(streams.map((stream) => [stream, 1]));
      });
    });

    describe('the log', () => {
      test('contains all streams in the order written', async () => {
        const start = await store.head(PRODUCTS);
        const streams = [streamId(), streamId(), streamId()];
        const written = [];
        for (const stream of streams) written.push(await store.append(stream, NO_STREAM, [soldOut, restocked], command()));

        const page = await pageUntil(store, start, written.at(-1)?.position);
        const ours = page.filter((event) => streams.includes(event.stream));
        expect(ours.map((event) => [event.stream, event.revision])).toEqual(
          streams.flatMap((stream) => [
            [stream, 0],
            [stream, 1],
          ]),
        );
        expect(page.every((event, index) => index === 0 || event.position > (page[index - 1]?.position ?? START))).toBe(true);
      });

      test('is read in pages without gaps or overlaps', async () => {
        const start = await store.head(PRODUCTS);
        const stream = streamId();
        let head = NO_STREAM;
        for (let index = 0; index < 5; index++) ({ head } = await store.append(stream, head, [priceMoved(index), soldOut], command()));
        const end = await store.head(PRODUCTS);

        const whole = await store.page(start, 1_000, PRODUCTS);
        const inThrees = [];
        for (let from = start; from < end; from = inThrees.at(-1)?.position ?? end) inThrees.push(...(await store.page(from, 3, PRODUCTS)));
        expect(inThrees.map((event) => event.position)).toEqual(whole.map((event) => event.position));
        expect(whole.filter((event) => event.stream === stream)).toHaveLength(10);
        expect(await store.page(end, 10, PRODUCTS)).toEqual([]);
      });

      test('returns the event at a position, or nothing', async () => {
        const stream = streamId();
        const { position } = await store.append(stream, NO_STREAM, [soldOut, restocked], command());
        expect(await store.at(position)).toMatchObject({ stream, revision: 1, position, ...restocked });
        expect(await store.at(logPosition(position + 10_000_000n))).toBeUndefined();
        expect(await store.at(START)).toBeUndefined();
      });

      test('filters by category', async () => {
        const start = await store.head(['product', 'cart', 'order']);
        const cart: StreamName = `cart-${crypto.randomUUID()}`;
        const product = streamId();
        const inCart = await store.append(cart, NO_STREAM, [soldOut], command());
        const inProduct = await store.append(product, NO_STREAM, [soldOut], command());

        const carts = await store.page(start, 1_000, ['cart']);
        expect(carts.map((event) => event.stream)).toContain(cart);
        expect(carts.every((event) => event.stream.startsWith('cart-'))).toBe(true);
        expect(await store.head(['cart'])).toBe(inCart.position);
        expect(await store.head(['product'])).toBe(inProduct.position);
        expect(await store.head(['product', 'cart'])).toBe(inProduct.position);
      });

      test('has the newest event of the only stream that is a category itself', async () => {
        for (let each = 0; each < 2; each++) {
          const { head } = await store.read('tax');
          const { position } = await store.append('tax', head, [soldOut], command());
          expect(await store.head(['tax'])).toBe(position);
        }
      });

      test('gives the audit the stored text that was hashed', async () => {
        const start = await store.head(PRODUCTS);
        const stream = streamId();
        const { head } = await store.append(stream, NO_STREAM, [soldOut], command());
        const [stored] = await store.storedPage(start, 1, PRODUCTS);
        expect(stored).toEqual((await store.storedStream(stream))[0]);
        expect(stored).toMatchObject({ stream, revision: 0, type: soldOut.type, data: JSON.stringify(soldOut.data) });
        expect(stored?.metadata.endsWith(`,"hash":"${head.hash}"}`)).toBe(true);
      });
    });

    describe('a follower', () => {
      test('gets existing events, then new ones immediately', async () => {
        const start = await store.head(PRODUCTS);
        const stream = streamId();
        const { head } = await store.append(stream, NO_STREAM, [soldOut], command());
        const leave = new AbortController();
        const pages = store.follow(start, PRODUCTS, leave.signal)[Symbol.asyncIterator]();
        expect(await nextPage(pages)).toMatchObject([{ stream, revision: 0 }]);

        // The further rounds show that a follower that has waited wakes up again. Some rounds may be slow on a busy machine.
        let latest = head;
        const times: number[] = [];
        for (const revision of [1, 2, 3, 4, 5]) {
          const awaited = nextPage(pages);
          await clockMovesOn();
          const began = performance.now();
          latest = (await store.append(stream, latest, [restocked], command())).head;
          expect(await awaited).toMatchObject([{ stream, revision, ...restocked }]);
          times.push(performance.now() - began);
        }
        expect(Math.min(...times.slice(1))).toBeLessThan(PROMPT_MS);
        leave.abort();
        expect((await pages.next()).done).toBe(true);
      });

      test('continues where it stopped, in a store that was opened again', async () => {
        const start = await store.head(PRODUCTS);
        const stream = streamId();
        await store.append(stream, NO_STREAM, [soldOut, restocked, soldOut], command());
        const [first] = await store.page(start, 1, PRODUCTS);

        const reopened = await open();
        const seen = await untilSeen(reopened, first?.position ?? START, PRODUCTS, 2);
        await reopened.close();
        expect(seen.map((event) => [event.stream, event.revision])).toEqual([
          [stream, 1],
          [stream, 2],
        ]);
      });

      test('is notified of appends by other processes', async () => {
        const other = await open();
        const start = await store.head(PRODUCTS);
        const leave = new AbortController();
        const pages = other.follow(start, PRODUCTS, leave.signal)[Symbol.asyncIterator]();
        const awaited = nextPage(pages);
        const stream = streamId();
        await store.append(stream, NO_STREAM, [soldOut], command());
        expect(await awaited).toMatchObject([{ stream, revision: 0 }]);
        leave.abort();
        await pages.return?.();
        await other.close();
      });

      test('of one category is not woken by another', async () => {
        const start = await store.head(['product', 'cart', 'order']);
        const order: StreamName = `order-${crypto.randomUUID()}`;
        await store.append(streamId(), NO_STREAM, [soldOut], command());
        await store.append(order, NO_STREAM, [restocked], command());
        const seen = await untilSeen(store, start, ['cart', 'order'], 1);
        expect(seen).toMatchObject([{ stream: order, revision: 0 }]);
      });

      test('that is slow or joins late misses nothing and delays no other follower', async () => {
        const start = await store.head(PRODUCTS);
        const stream = streamId();
        const leave = new AbortController();
        const begin = () => store.follow(start, PRODUCTS, leave.signal)[Symbol.asyncIterator]();
        const seenBy = async (pages: AsyncIterator<readonly Recorded[]>): Promise<number[]> => {
          const seen: Recorded[] = [];
          while (!seen.some((event) => event.stream === stream && event.revision === 39)) seen.push(...(await nextPage(pages)));
          return seen.filter((event) => event.stream === stream).map(({ revision }) => revision);
        };
        const [quick, slow] = [begin(), begin()];
        const first = [nextPage(quick), nextPage(slow)];
        let { head } = await store.append(stream, NO_STREAM, [soldOut], command());
        const beginnings = await Promise.all(first);
        const others = seenBy(quick);
        while (head.revision < 39) ({ head } = await store.append(stream, head, [restocked, soldOut, soldOut], command()));

        const revisions = Array.from({ length: 40 }, (_, revision) => revision);
        const rest = revisions.slice(beginnings[0]?.filter((event) => event.stream === stream).length);
        expect(await others).toEqual(rest);
        expect(await seenBy(slow)).toEqual(rest);
        expect(await seenBy(begin())).toEqual(revisions);
        leave.abort();
      });

      test('ends when cancelled, waiting or not', async () => {
        const leave = new AbortController();
        const pages = store.follow(await store.head(PRODUCTS), PRODUCTS, leave.signal)[Symbol.asyncIterator]();
        const awaited = pages.next();
        leave.abort();
        expect((await awaited).done).toBe(true);
        const late = store.follow(START, PRODUCTS, leave.signal)[Symbol.asyncIterator]();
        expect((await late.next()).done).toBe(true);
      });

      test('misses nothing when sixty writers append at once', async () => {
        const { written, seen } = await sixtyWriters(store);
        expectNothingSkipped(written, seen);
      });
    });
  });
};

/**
 * Tests stores that hold the log themselves. EventStoreDB compares only revisions: an append at the right revision with the wrong hash
 * succeeds, and the audit reports the event as altered.
 */
export const describeHashCheck = (name: string, open: OpenStore): void => {
  describe(`${name}: the expected hash of an append`, () => {
    let store: EventStore & StoredLog;
    beforeAll(async () => {
      store = await open();
    });
    afterAll(() => store.close());
    const forged: StreamHead = { revision: 1, hash: 'a'.repeat(64) };

    test('is refused if it is not the hash of the newest event', async () => {
      const stream = streamId();
      const { head } = await store.append(stream, NO_STREAM, [soldOut, restocked], command());
      await expect(store.append(stream, forged, [soldOut], command())).rejects.toThrow(new WrongHead(stream, 1));
      await expect(store.append(stream, { ...head, hash: '' }, [soldOut], command())).rejects.toThrow(WrongHead);
      expect((await store.read(stream)).head).toEqual(head);
      expect((await store.append(stream, head, [soldOut], command())).head.revision).toBe(2);
    });

    test('is refused among concurrent appends, which succeed', async () => {
      const streams = Array.from({ length: 5 }, streamId);
      const heads = await Promise.all(streams.map((stream) => store.append(stream, NO_STREAM, [soldOut, restocked], command())));
      const answers = await Promise.allSettled(
        streams.map((stream, index) => store.append(stream, index === 2 ? forged : (heads[index]?.head ?? forged), [soldOut], command())),
      );
      expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
      const events = await Promise.all(
        answers.map((answer) => (answer.status === 'fulfilled' ? store.at(answer.value.position) : undefined)),
      );
      expect(events.map((event) => event?.stream)).toEqual(streams.map((stream, index) => (index === 2 ? undefined : stream)));
    });
  });
};

/** Waits until the next recorded time differs. */
const clockMovesOn = async (): Promise<void> => {
  const before = Date.now();
  while (Date.now() === before) await new Promise((resolve) => setImmediate(resolve));
};
