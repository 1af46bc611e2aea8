import { PassThrough } from 'node:stream';

import type { LogPosition } from '#domain/event-store.ts';
import type { Listing } from '#projections/catalogue/listing.ts';
import { catalogue } from '#projections/catalogue/projector.ts';
import { taxDocuments } from '#projections/invoices/projector.ts';
import { inBackground, repeatEvery, type BackgroundWork } from '#projections/follower/repeat-every.ts';
import { ordersDesk } from '#projections/orders/orders-desk.ts';
import type { Progress } from '#projections/reading/progress.ts';
import { stats } from '#projections/stats/projector.ts';

import { unavailable } from '../http/http-error.ts';

export type LiveStream = {
  /**
   * Sends server-sent events: `figures` with the answer of `GET /admin/stats`; `orders`, `products`, `sales` and `invoices` when those
   * changed. `heard` is the last id that the page received; it gets the changes since then.
   */
  watch(heard?: string): PassThrough;
  close(): void;
};

type Parts = {
  readonly progress: Pick<Progress, 'onAdvance' | 'mark'>;
  /** Products are answered from memory, which follows the table. */
  readonly listing: Pick<Listing, 'waitFor'>;
  readonly figures: () => Promise<object>;
  readonly onTrouble: (error: unknown) => void;
};

/** Each kind of message has a read model. */
const kinds = [
  ['orders', ordersDesk.name],
  ['products', catalogue.name],
  ['sales', stats.name],
  ['invoices', taxDocuments.name],
] as const;

/** Many orders within this many ms make one message. */
const SENT_AFTER = 200;
/** Subscribers and messages have no read model, so they are polled while a page is open. */
const LOOKS_EVERY_MS = 500;
/** The browser then opens another stream, and its rights are checked again. */
const STREAM_LIFETIME_MS = 60_000;
const LISTED_WITHIN_MS = 5_000;
const MOST = 200;
/** A page with this many unread bytes counts as stuck. */
const MOST_BUFFERED_BYTES = 256 * 1024;

const message = (event: string, data = '{}'): string => `event: ${event}\ndata: ${data}\n\n`;
/** The page sends this id back when it reconnects. */
const idLine = (marks: string): string => `id: ${marks}\n\n`;

/** Composes each message once for all open pages. Costs nothing while no page is open. */
export const openLive = ({ progress, listing, figures, onTrouble }: Parts): LiveStream => {
  const watching = new Set<PassThrough>();
  const changed = new Set<string>();
  let sentFigures = '';
  let soon: NodeJS.Timeout | undefined;
  let looking: BackgroundWork | undefined;

  const send = (text: string): void => {
    for (const stream of watching) {
      if (stream.writableLength > MOST_BUFFERED_BYTES) stream.destroy();
      else stream.write(text);
    }
  };

  const sendFigures = async (): Promise<void> => {
    const now = JSON.stringify(await figures());
    if (now === sentFigures) return;
    sentFigures = now;
    send(message('figures', now));
  };

  const marks = (): string => kinds.map(([, model]) => progress.mark(model)).join('_');
  const missedSince = (heard: string): string[] => {
    const before = heard.split('_');
    return kinds.filter(([, model], at) => progress.mark(model) !== before[at]).map(([kind]) => kind);
  };

  const sendChanges = (): void => {
    soon = undefined;
    send([...changed].map((kind) => message(kind)).join('') + idLine(marks()));
    changed.clear();
    sendFigures().catch(onTrouble);
  };

  const note = (kind: string) => async (position: LogPosition) => {
    if (watching.size === 0) return;
    if (kind === 'products') await listing.waitFor(position, LISTED_WITHIN_MS);
    changed.add(kind);
    soon ??= setTimeout(sendChanges, SENT_AFTER);
  };
  const stops = kinds.map(([kind, model]) => {
    const notes = note(kind);
    return progress.onAdvance(model, (position) => void notes(position).catch(onTrouble));
  });

  const leave = (stream: PassThrough): void => {
    watching.delete(stream);
    if (watching.size > 0) return;
    void looking?.close();
    looking = undefined;
  };

  /** The page may still read what is buffered. */
  const end = (stream: PassThrough): void => {
    leave(stream);
    stream.end();
  };

  const greet = async (stream: PassThrough): Promise<void> => {
    const now = message('figures', JSON.stringify(await figures()));
    if (watching.has(stream)) stream.write(now);
  };

  return {
    watch: (heard) => {
      if (watching.size >= MOST) throw unavailable('Too many pages are open. This one will ask again.', 10);
      const stream = new PassThrough();
      const ending = setTimeout(end, STREAM_LIFETIME_MS, stream);
      stream.once('close', () => {
        clearTimeout(ending);
        leave(stream);
      });
      watching.add(stream);
      looking ??= inBackground((signal) =>
        repeatEvery(LOOKS_EVERY_MS, sendFigures, { signal, onError: onTrouble, firstAfter: LOOKS_EVERY_MS }),
      );
      const missed = heard === undefined ? [] : missedSince(heard);
      stream.write(`retry: 1000\n\n${missed.map((kind) => message(kind)).join('')}${idLine(marks())}`);
      greet(stream).catch(onTrouble);
      return stream;
    },
    close: () => {
      for (const stop of stops) stop();
      clearTimeout(soon);
      for (const stream of watching) end(stream);
    },
  };
};
