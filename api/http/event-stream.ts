import { PassThrough } from 'node:stream';

import type { ShopContext } from './context.ts';

/** The browser then opens another stream, and its rights are checked again. */
const STREAM_LIFETIME_MS = 60_000;
/** A page with this many unread bytes counts as stuck. */
const MOST_BUFFERED_BYTES = 256 * 1024;

/** Formats a server-sent event. The data must not contain line breaks, which JSON does not. */
export const formatEvent = (event: string, data = '{}'): string => `event: ${event}\ndata: ${data}\n\n`;

/** Sends server-sent events to one page. */
export type EventStream = { readonly body: PassThrough; send(events: string): void; end(): void };

/** Opens a stream that ends after a minute. `onEnd` is called once, when nothing more is sent; the page may still read what is buffered. */
export const openEventStream = (onEnd: () => void): EventStream => {
  const body = new PassThrough();
  let isOpen = true;
  const leave = (): void => {
    if (!isOpen) return;
    isOpen = false;
    clearTimeout(ending);
    onEnd();
  };
  const end = (): void => {
    leave();
    body.end();
  };
  const ending = setTimeout(end, STREAM_LIFETIME_MS);
  body.once('close', leave);
  body.write('retry: 1000\n\n');
  const send = (events: string): void => {
    if (!isOpen) return;
    if (body.writableLength > MOST_BUFFERED_BYTES) body.destroy();
    else body.write(events);
  };
  return { body, send, end };
};

export const respondWithEvents = (ctx: ShopContext, body: PassThrough): void => {
  ctx.type = 'text/event-stream';
  // Proxies would hold the stream back for ever.
  ctx.set('X-Accel-Buffering', 'no');
  ctx.body = body;
};
