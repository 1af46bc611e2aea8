import { PassThrough } from 'node:stream';

import { catalogue } from '#projections/catalogue/projector.ts';
import { ordersDesk } from '#projections/orders-desk/projector.ts';
import type { Progress } from '#projections/progress.ts';
import { stats } from '#projections/stats/projector.ts';

import { unavailable } from '../http/refusal.ts';

/** What happens on an open page of the staff without their asking. */
export type Live = {
  /** A stream of server-sent events: `figures` with what `GET /admin/stats` answers, `orders` and `products` when those changed. */
  watch(): PassThrough;
  close(): void;
};

type Parts = {
  readonly progress: Pick<Progress, 'onAdvance'>;
  readonly figures: () => Promise<object>;
  readonly onTrouble: (error: unknown) => void;
};

/** Changes within so many ms are told together: a rush of orders is one message, and still there within a second. */
const GATHERED = 200;
/** Subscribers and messages are rows, of which no read model tells: looked at so often, in ms, while anybody watches. */
const LOOKS_EVERY = 1_000;
/** A stream ends after this long, in ms; the browser opens the next one, and is asked again whether it may. */
const LASTS = 60_000;
const MOST = 200;
/** A page that takes nothing any more, in bytes of what waits for it. */
const CLOGGED = 256 * 1024;

const message = (event: string, data: string): string => `event: ${event}\ndata: ${data}\n\n`;

/** Tells all open pages of this process what changed, working each message out once. Costs nothing while nobody watches. */
export const openLive = ({ progress, figures, onTrouble }: Parts): Live => {
  const watching = new Set<PassThrough>();
  const changed = new Set<string>();
  let told = '';
  let soon: NodeJS.Timeout | undefined;
  let looking: NodeJS.Timeout | undefined;

  const send = (text: string): void => {
    for (const stream of watching) {
      if (stream.writableLength > CLOGGED) stream.destroy();
      else stream.write(text);
    }
  };

  const tellFigures = async (): Promise<void> => {
    const now = JSON.stringify(await figures());
    if (now === told) return;
    told = now;
    send(message('figures', now));
  };

  const tell = (): void => {
    soon = undefined;
    for (const what of changed) send(message(what, '{}'));
    changed.clear();
    tellFigures().catch(onTrouble);
  };

  const note = (what: string) => () => {
    if (watching.size === 0) return;
    changed.add(what);
    soon ??= setTimeout(tell, GATHERED);
  };
  const stops = [
    progress.onAdvance(ordersDesk.name, note('orders')),
    progress.onAdvance(catalogue.name, note('products')),
    progress.onAdvance(stats.name, note('sales')),
  ];

  const leave = (stream: PassThrough): void => {
    watching.delete(stream);
    if (watching.size > 0) return;
    clearInterval(looking);
    looking = undefined;
  };

  const greet = async (stream: PassThrough): Promise<void> => {
    stream.write(message('figures', JSON.stringify(await figures())));
  };

  return {
    watch: () => {
      if (watching.size >= MOST) throw unavailable('Too many pages are open. This one will ask again.', 10);
      const stream = new PassThrough();
      const ending = setTimeout(() => stream.end(), LASTS);
      stream.once('close', () => {
        clearTimeout(ending);
        leave(stream);
      });
      watching.add(stream);
      looking ??= setInterval(() => void tellFigures().catch(onTrouble), LOOKS_EVERY);
      stream.write('retry: 1000\n\n');
      greet(stream).catch(onTrouble);
      return stream;
    },
    close: () => {
      for (const stop of stops) stop();
      clearTimeout(soon);
      for (const stream of watching) stream.end();
    },
  };
};
