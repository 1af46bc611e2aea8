import { Readable } from 'node:stream';

import type { ShopContext } from '../../http/context.ts';
import { unavailable } from '../../http/http-error.ts';
import { NDJSON } from '../audit-json.ts';
import { CheckFailed } from './check-in-child.ts';

type Lines = AsyncIterator<object, undefined>;

const textOf = (line: object): string => `${JSON.stringify(line)}\n`;

async function* textsOf(first: object, lines: Lines): AsyncGenerator<string> {
  yield textOf(first);
  try {
    for (let next = await lines.next(); !next.done; next = await lines.next()) yield textOf(next.value);
  } catch (error) {
    if (!(error instanceof CheckFailed)) throw error;
    yield textOf({ failed: error.message });
  }
}

const firstOf = async (lines: Lines): Promise<object | undefined> => {
  try {
    return (await lines.next()).value;
  } catch (error) {
    throw error instanceof CheckFailed ? unavailable(error.message) : error;
  }
};

/** Sends lines of a child as NDJSON; the last one is `failed` with the reason if it ends early, and 503 is answered if that is the first. */
export const streamLines = async (ctx: ShopContext, lines: Lines): Promise<void> => {
  const first = await firstOf(lines);
  if (!first) return;
  ctx.type = NDJSON;
  // Proxies would hold back the progress.
  ctx.set('X-Accel-Buffering', 'no');
  ctx.body = Readable.from(textsOf(first, lines), { objectMode: false });
};
