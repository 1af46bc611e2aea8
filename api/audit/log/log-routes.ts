import { Readable } from 'node:stream';
import type { Router } from '@koa/router';

import type { EventStore } from '#domain/event-store.ts';

import type { StoredLog } from '../../event-store/stored-event.ts';
import { viewSignatures } from '../../transparency/signed-status.ts';
import { treeReading } from '../../transparency/tree-rows.ts';
import type { WitnessPolicy } from '../../transparency/witness-policy.ts';
import type { Shop } from '../../shop.ts';
import type { ShopContext, State } from '../../http/context.ts';
import { createRouter } from '../../http/router.ts';
import { jsonLines } from './ndjson-lines.ts';
import { logQuestionFrom, pageSize } from './log-input.ts';
import { readLogPages, storedPage, storedPages } from './log-pages.ts';
import { noteDownload, type NotingDeps } from '../note-download.ts';
import { type LogSource, streamPage } from './log-source.ts';
import { NDJSON, storedLine, viewEvent } from '../audit-json.ts';

export type LogRoutesDeps = NotingDeps &
  Pick<Shop, 'db' | 'read'> & {
    readonly store: EventStore & StoredLog;
    readonly open: LogSource['open'];
    readonly witnessPolicy: WitnessPolicy;
  };

/** Sends any number of lines, with backpressure. `X-Log-End` is the position at which the log ended. */
const sendLines = async (ctx: ShopContext, deps: LogRoutesDeps): Promise<void> => {
  const { store } = deps;
  const { form, ...part } = logQuestionFrom(ctx.query);
  await noteDownload(ctx, deps, `log, ${form}`);
  const [end, lines] =
    form === 'stored'
      ? await storedPages(store, part).then((stored) => [stored.end, jsonLines(stored.pages, storedLine)] as const)
      : await readLogPages(store, part).then((read) => [read.end, jsonLines(read.pages, viewEvent)] as const);
  ctx.type = NDJSON;
  ctx.set('Content-Disposition', 'attachment; filename="ruhani-log.ndjson"');
  ctx.set('X-Log-End', String(end));
  ctx.body = Readable.from(lines, { objectMode: false });
};

const sendPage = async (ctx: ShopContext, deps: LogRoutesDeps): Promise<void> => {
  const { store } = deps;
  const { from, limit, categories, stream, form } = logQuestionFrom(ctx.query);
  const size = pageSize(limit);
  const [events, positions] = stream
    ? await streamPage(deps, stream, from, size).then((page) => [page.map(viewEvent), page] as const)
    : form === 'stored'
      ? await storedPage(store, from, size, categories).then((page) => [page.map(storedLine), page] as const)
      : await store.page(from, size, categories).then((page) => [page.map(viewEvent), page] as const);
  // A page of a stream may be shorter although more events follow.
  const isLast = stream ? events.length === 0 : events.length < size;
  const next = isLast ? null : String(positions.at(-1)?.position ?? from);
  ctx.body = { events, next };
};

/**
 * Serves `GET /audit/events?from=&limit=&category=`: the log in order, a page as JSON, or everything as lines with `Accept:
 * application/x-ndjson`. `stream=` selects a stream that is not an order's, such as a cart; `form=stored` returns events as stored, with
 * encrypted fields, for verifying an export. `GET /audit/signatures`: how far the log is signed, and cosigned by its witnesses.
 */
export const logRoutes = (deps: LogRoutesDeps): Router<State> => {
  const trees = treeReading(deps.read.pool);
  return createRouter()
    .get('/audit/events', (ctx) => (ctx.accepts('application/json', NDJSON) === NDJSON ? sendLines(ctx, deps) : sendPage(ctx, deps)))
    .get('/audit/signatures', async (ctx) => {
      ctx.body = await viewSignatures({ ...deps, trees }, deps.witnessPolicy);
    });
};
