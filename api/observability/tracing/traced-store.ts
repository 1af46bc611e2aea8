import type { EventStore, Feed, Recorded } from '#domain/event-store.ts';

import { parseCategory, type StoredLog } from '../../event-store/stored-event.ts';
import type { Span, Tracing } from './tracing.ts';

/**
 * Adds spans for reads and appends to the current trace, if there is one. Appended events have the trace in their metadata, so that
 * followers of the log continue it.
 */
export const tracedStore = <Store extends EventStore & StoredLog>(store: Store, tracing: Tracing): Store => {
  const read: EventStore['read'] = (stream, after) =>
    tracing.current() === undefined
      ? store.read(stream, after)
      : tracing.span({ name: `read ${parseCategory(stream)}`, kind: 'client' }, () => store.read(stream, after));
  const append: EventStore['append'] = (stream, expected, events, metadata) =>
    tracing.current() === undefined
      ? store.append(stream, expected, events, metadata)
      : tracing.span({ name: `append ${parseCategory(stream)}`, kind: 'client', attributes: { 'ruhani.events': events.length } }, (span) =>
          store.append(stream, expected, events, { ...metadata, traceparent: span.traceparent }),
        );
  return { ...store, read, append };
};

/** Returns undefined also for events whose metadata cannot be read. */
export const findTraceparent = (event: Recorded): string | undefined => {
  try {
    return event.metadata.traceparent;
  } catch {
    return undefined;
  }
};

/** A longer page is a catch-up, for which no request waits. */
const TRACES_A_PAGE = 50;

const beginAll = (page: readonly Recorded[], name: string, tracing: Tracing): readonly Span[] => {
  const traces = new Map<string, number>();
  for (const event of page) {
    const parent = findTraceparent(event);
    if (parent !== undefined && (traces.has(parent) || traces.size < TRACES_A_PAGE)) traces.set(parent, (traces.get(parent) ?? 0) + 1);
  }
  return [...traces].map(([parent, events]) => tracing.begin({ name, kind: 'consumer', parent, attributes: { 'ruhani.events': events } }));
};

/** Traces one follower: the time from receiving a page to asking for the next one is a span in the traces of its events. */
export const tracedFeed = <Traced extends Feed>(feed: Traced, name: string, tracing: Tracing): Traced => ({
  ...feed,
  async *follow(after, categories, until) {
    for await (const page of feed.follow(after, categories, until)) {
      const spans = beginAll(page, name, tracing);
      try {
        yield page;
      } finally {
        for (const span of spans) span.end();
      }
    }
  },
});
