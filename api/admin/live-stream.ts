import type { PassThrough } from 'node:stream';

import type { LogPosition } from '#domain/event-store.ts';
import type { Listing } from '#projections/catalogue/listing.ts';
import { catalogue } from '#projections/catalogue/projector.ts';
import { taxDocuments } from '#projections/invoices/projector.ts';
import { inBackground, repeatEvery, type BackgroundWork } from '#projections/follower/repeat-every.ts';
import { messages } from '#projections/messages/message-answers.ts';
import { ordersDesk } from '#projections/orders/orders-desk.ts';
import { payments } from '#projections/orders/payment-statuses.ts';
import type { Progress } from '#projections/reading/progress.ts';
import { stats } from '#projections/stats/projector.ts';

import { type EventStream, formatEvent, openEventStream } from '../http/event-stream.ts';
import { unavailable } from '../http/http-error.ts';

export type LiveStream = {
  /**
   * Sends server-sent events: `figures` with the answer of `GET /admin/stats`; `orders`, `products`, `sales`, `invoices`, `messages` (their
   * answers) and `payments` when those changed. `heard` is the last id that the page received; it gets the changes since then. `mayStill` is
   * asked before each message, because the session or the right may have ended: then the stream ends.
   */
  watch(mayStill: () => Promise<boolean>, heard?: string): PassThrough;
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
  ['messages', messages.name],
  ['payments', payments.name],
] as const;

/** Many orders within this many ms make one message. */
const SENT_AFTER = 200;
/** Subscribers and new messages have no read model, so they are polled while a page is open. */
const LOOKS_EVERY_MS = 500;
const LISTED_WITHIN_MS = 5_000;
const MOST = 200;

/** The page sends this id back when it reconnects. */
const idLine = (marks: string): string => `id: ${marks}\n\n`;

/** Composes each message once for all open pages. Costs nothing while no page is open. */
export const openLive = ({ progress, listing, figures, onTrouble }: Parts): LiveStream => {
  const watching = new Map<EventStream, () => Promise<boolean>>();
  let sending: Promise<unknown> = Promise.resolve();
  const changed = new Set<string>();
  let sentFigures = '';
  let soon: NodeJS.Timeout | undefined;
  let looking: BackgroundWork | undefined;

  const sendTo = async (stream: EventStream, mayStill: () => Promise<boolean>, text: string): Promise<void> => {
    // A page whose stream ends asks again.
    if (await mayStill().catch(() => false)) stream.send(text);
    else stream.end();
  };
  /** One message after the other, so that no page gets an older one after a newer one. */
  const send = (text: string): void => {
    sending = sending.then(() => Promise.all([...watching].map(([stream, mayStill]) => sendTo(stream, mayStill, text))));
  };

  const sendFigures = async (): Promise<void> => {
    const now = JSON.stringify(await figures());
    if (now === sentFigures) return;
    sentFigures = now;
    send(formatEvent('figures', now));
  };

  const marks = (): string => kinds.map(([, model]) => progress.mark(model)).join('_');
  const missedSince = (heard: string): string[] => {
    const before = heard.split('_');
    return kinds.filter(([, model], at) => progress.mark(model) !== before[at]).map(([kind]) => kind);
  };

  const sendChanges = (): void => {
    soon = undefined;
    send([...changed].map((kind) => formatEvent(kind)).join('') + idLine(marks()));
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

  const leave = (stream: EventStream): void => {
    watching.delete(stream);
    if (watching.size > 0) return;
    void looking?.close();
    looking = undefined;
  };

  const greet = async (stream: EventStream): Promise<void> => {
    stream.send(formatEvent('figures', JSON.stringify(await figures())));
  };

  return {
    watch: (mayStill, heard) => {
      if (watching.size >= MOST) throw unavailable('Too many pages are open. This one will ask again.', 10);
      const stream = openEventStream(() => leave(stream));
      watching.set(stream, mayStill);
      looking ??= inBackground((signal) =>
        repeatEvery(LOOKS_EVERY_MS, sendFigures, { signal, onError: onTrouble, firstAfter: LOOKS_EVERY_MS }),
      );
      const missed = heard === undefined ? [] : missedSince(heard);
      stream.send(missed.map((kind) => formatEvent(kind)).join('') + idLine(marks()));
      greet(stream).catch(onTrouble);
      return stream.body;
    },
    close: () => {
      for (const stop of stops) stop();
      clearTimeout(soon);
      for (const stream of watching.keys()) stream.end();
    },
  };
};
