import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NO_STREAM } from '#domain/event-store.ts';
import { computeHead, verifyChain } from './chain.ts';
import type { SealedEvent } from './stored-event.ts';
import { shopCodec } from './testing/test-codec.ts';
import { command, priceMoved, streamId } from './testing/writing.ts';

const stream = streamId();
const LENGTH = 6;
const moves = Array.from({ length: LENGTH }, (_, step) => priceMoved(step));
const { events, head } = await shopCodec().seal(stream, NO_STREAM, moves, command());

const altered = (revision: number, change: (event: SealedEvent) => Partial<SealedEvent>): readonly SealedEvent[] =>
  events.map((event) => (event.revision === revision ? { ...event, ...change(event) } : event));

describe('the hash chain of a stream', () => {
  test('is intact as written', () => {
    expect(verifyChain(stream, events)).toEqual({ chain: 'intact', head });
    expect(verifyChain(stream, [])).toEqual({ chain: 'intact', head: NO_STREAM });
  });

  test('verifies in parts as well as in one pass', () => {
    const middle = computeHead(events.slice(0, 3));
    expect(verifyChain(stream, events.slice(3), [], middle)).toEqual({ chain: 'intact', head });
    expect(verifyChain(stream, events.slice(3), [], { ...middle, hash: head.hash })).toMatchObject({ brokenAt: 3, fault: 'altered' });
  });

  test('shows the revision of a removed event', () => {
    expect(verifyChain(stream, events.toSpliced(2, 1))).toEqual({ chain: 'broken', brokenAt: 2, fault: 'missing' });
    const renumbered = events.toSpliced(2, 1).map((event, revision) => ({ ...event, revision }));
    expect(verifyChain(stream, renumbered)).toEqual({ chain: 'broken', brokenAt: 2, fault: 'altered' });
  });

  test('shows the first of two swapped events', () => {
    const [second, third] = [events[2], events[3]];
    const swapped = events.map((event) => ({ ...event, ...(event.revision === 2 ? third : event.revision === 3 ? second : {}) }));
    const inPlace = swapped.map((event, revision) => ({ ...event, revision }));
    expect(verifyChain(stream, inPlace)).toEqual({ chain: 'broken', brokenAt: 2, fault: 'altered' });
  });

  test('shows a duplicate event, and an event of another stream', () => {
    const [first] = events;
    if (!first) throw new Error('Nothing was sealed');
    expect(verifyChain(stream, [first, first])).toEqual({ chain: 'broken', brokenAt: 1, fault: 'out_of_place' });
    expect(verifyChain(streamId(), events)).toEqual({ chain: 'broken', brokenAt: 0, fault: 'out_of_place' });
  });

  test('shows an event that was appended without the application', () => {
    const forged: SealedEvent = {
      stream,
      revision: LENGTH,
      eventId: crypto.randomUUID(),
      type: 'ProductRemoved',
      data: '{}',
      metadata: '{}',
    };
    expect(verifyChain(stream, [...events, forged])).toEqual({ chain: 'broken', brokenAt: LENGTH, fault: 'altered' });
  });

  test('is intact without its last events, but does not match a saved head', () => {
    const cut = events.slice(0, 4);
    expect(verifyChain(stream, cut)).toMatchObject({ chain: 'intact' });
    expect(verifyChain(stream, cut, [head])).toEqual({ chain: 'broken', brokenAt: 4, fault: 'missing' });
    expect(verifyChain(stream, [], [head])).toEqual({ chain: 'broken', brokenAt: 0, fault: 'missing' });
  });

  test('does not match a saved head after being rewritten completely', async () => {
    const moves = Array.from({ length: LENGTH }, (_, step) => priceMoved(step + 1));
    const rewritten = await shopCodec().seal(stream, NO_STREAM, moves, command());
    expect(verifyChain(stream, rewritten.events)).toMatchObject({ chain: 'intact' });
    expect(verifyChain(stream, rewritten.events, [computeHead(events.slice(0, 3))])).toEqual({
      chain: 'broken',
      brokenAt: 2,
      fault: 'altered',
    });
    expect(verifyChain(stream, events, [computeHead(events.slice(0, 3)), head])).toEqual({ chain: 'intact', head });
  });

  test('breaks when any one character changes', { retry: 0 }, () => {
    const fields = ['eventId', 'type', 'data', 'metadata'] as const;
    fc.assert(
      fc.property(fc.nat(LENGTH - 1), fc.constantFrom(...fields), fc.nat(), (revision, field, at) => {
        const forged = altered(revision, (event) => {
          const text = event[field];
          const place = at % text.length;
          return { [field]: `${text.slice(0, place)}${text[place] === '~' ? '!' : '~'}${text.slice(place + 1)}` };
        });
        expect(verifyChain(stream, forged)).toEqual({ chain: 'broken', brokenAt: revision, fault: 'altered' });
      }),
    );
  });

  test('breaks when a character moves from one field into the next', () => {
    const moved = altered(0, (event) => ({ type: event.type + event.data.slice(0, 1), data: event.data.slice(1) }));
    expect(verifyChain(stream, moved)).toEqual({ chain: 'broken', brokenAt: 0, fault: 'altered' });
  });
});
