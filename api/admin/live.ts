import { PassThrough } from 'node:stream';

import { catalogue } from '#projections/catalogue/projector.ts';
import { ordersDesk } from '#projections/orders-desk/projector.ts';
import type { Progress } from '#projections/progress.ts';
import { stats } from '#projections/stats/projector.ts';

import { unavailable } from '../http/refusal.ts';

/** What happens on an open page of the staff without their asking. */
export type Live = {
  /**
   * A stream of server-sent events: `figures` with what `GET /admin/stats` answers, `orders`, `products` and `sales` when those changed.
   * `heard` is the last id that the page had before its line ended: it is told what has changed since.
   */
  watch(heard?: string): PassThrough;
  close(): void;
};

type Parts = {
  readonly progress: Pick<Progress, 'onAdvance' | 'mark'>;
  readonly figures: () => Promise<object>;
  readonly onTrouble: (error: unknown) => void;
};

/** What is told of, and the read model that it is of. */
const kinds = [
  ['orders', ordersDesk.name],
  ['products', catalogue.name],
  ['sales', stats.name],
] as const;

/** Changes within so many ms are told together: a rush of orders is one message, and still there within a second. */
const GATHERED = 200;
/** Subscribers and messages are rows, of which no read model tells: looked at so often, in ms, while anybody watches. */
const LOOKS_EVERY = 500;
/** A stream ends after this long, in ms; the browser opens the next one, and is asked again whether it may. */
const LASTS = 60_000;
const MOST = 200;
/** A page that takes nothing any more, in bytes of what waits for it. */
const CLOGGED = 256 * 1024;

const message = (event: string, data = '{}'): string => `event: ${event}\ndata: ${data}\n\n`;
/** How far a page is that has read everything before it: what a browser says when it opens the line again. */
const farAs = (marks: string): string => `id: ${marks}\n\n`;

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

  const marks = (): string => kinds.map(([, model]) => progress.mark(model)).join('_');
  const missedSince = (heard: string): string[] => {
    const before = heard.split('_');
    return kinds.filter(([, model], at) => progress.mark(model) !== before[at]).map(([kind]) => kind);
  };

  const tell = (): void => {
    soon = undefined;
    send([...changed].map((kind) => message(kind)).join('') + farAs(marks()));
    changed.clear();
    tellFigures().catch(onTrouble);
  };

  const note = (kind: string) => () => {
    if (watching.size === 0) return;
    changed.add(kind);
    soon ??= setTimeout(tell, GATHERED);
  };
  const stops = kinds.map(([kind, model]) => progress.onAdvance(model, note(kind)));

  const leave = (stream: PassThrough): void => {
    watching.delete(stream);
    if (watching.size > 0) return;
    clearInterval(looking);
    looking = undefined;
  };

  /** Its page may take a while over what it holds, but is told no more by it. */
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
      looking ??= setInterval(() => void tellFigures().catch(onTrouble), LOOKS_EVERY);
      const missed = heard === undefined ? [] : missedSince(heard);
      stream.write(`retry: 1000\n\n${missed.map((kind) => message(kind)).join('')}${farAs(marks())}`);
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
