import { PassThrough } from 'node:stream';

import type { LogPosition } from '#domain/event-store.ts';
import type { Listing } from '#projections/catalogue/listing.ts';
import { catalogue } from '#projections/catalogue/projector.ts';
import { papers } from '#projections/invoices/projector.ts';
import { inBackground, repeatEvery, type BackgroundWork } from '#projections/follower/repeat-every.ts';
import { ordersDesk } from '#projections/orders/orders-desk.ts';
import type { Progress } from '#projections/reading/progress.ts';
import { stats } from '#projections/stats/projector.ts';

import { unavailable } from '../http/http-error.ts';

export type LiveStream = {
  /**
   * Server-sent events: `figures` with the answer of `GET /admin/stats`; `orders`, `products`, `sales` and `invoices` when those changed. `heard`: the
   * last id that the page got; it is sent the changes since.
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

/** The read model of each kind of message. */
const kinds = [
  ['orders', ordersDesk.name],
  ['products', catalogue.name],
  ['sales', stats.name],
  ['invoices', papers.name],
] as const;

/** In ms: many orders make one message. */
const SENT_AFTER = 200;
/** Subscribers and messages have no read model and are polled while a page is open. */
const LOOKS_EVERY_MS = 500;
/** In ms. The browser then opens another stream, and its rights are checked again. */
const LASTS = 60_000;
/** In ms. */
const LISTED_WITHIN = 5_000;
const MOST = 200;
/** Unread bytes with which a page counts as stuck. */
const CLOGGED = 256 * 1024;

const message = (event: string, data = '{}'): string => `event: ${event}\ndata: ${data}\n\n`;
/** The id that a page sends back when it reconnects. */
const idLine = (marks: string): string => `id: ${marks}\n\n`;

/** Composes each message once for all open pages. Costs nothing while none is open. */
export const openLive = ({ progress, listing, figures, onTrouble }: Parts): LiveStream => {
  const watching = new Set<PassThrough>();
  const changed = new Set<string>();
  let sentFigures = '';
  let soon: NodeJS.Timeout | undefined;
  let looking: BackgroundWork | undefined;

  const send = (text: string): void => {
    for (const stream of watching) {
      if (stream.writableLength > CLOGGED) stream.destroy();
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
    if (kind === 'products') await listing.waitFor(position, LISTED_WITHIN);
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
      const ending = setTimeout(end, LASTS, stream);
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
