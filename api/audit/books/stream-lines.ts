import { Readable } from 'node:stream';

import type { ShopContext } from '../../http/context.ts';
import { unavailable } from '../../http/http-error.ts';
import { NDJSON } from '../audit-json.ts';
import { CheckFailed } from './check-in-child.ts';

type Lines = AsyncIterator<object, undefined>;

const formatLine = (line: object): string => `${JSON.stringify(line)}\n`;

async function* formatLines(first: object, lines: Lines): AsyncGenerator<string> {
  yield formatLine(first);
  try {
    for (let next = await lines.next(); !next.done; next = await lines.next()) yield formatLine(next.value);
  } catch (error) {
    if (!(error instanceof CheckFailed)) throw error;
    yield formatLine({ failed: error.message });
  }
}

const readFirst = async (lines: Lines): Promise<object | undefined> => {
  try {
    return (await lines.next()).value;
  } catch (error) {
    throw error instanceof CheckFailed ? unavailable(error.message) : error;
  }
};

/**
 * Sends lines of a child as NDJSON. The last line is `failed` with the reason if the child ends early; if it is the first line, the answer
 * is 503.
 */
export const streamLines = async (ctx: ShopContext, lines: Lines): Promise<void> => {
  const first = await readFirst(lines);
  if (!first) return;
  ctx.type = NDJSON;
  // Proxies would hold back the progress.
  ctx.set('X-Accel-Buffering', 'no');
  ctx.body = Readable.from(formatLines(first, lines), { objectMode: false });
};
