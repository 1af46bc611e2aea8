import { once } from 'node:events';
import { createServer } from 'node:http';
import Koa from 'koa';

import { keepTicksFast } from '../infrastructure/lasting-shapes.ts';

/** Which answers of a server to serve: those to these paths, asked for with this cookie. */
export type Wanted = { readonly url: string; readonly asked: readonly { readonly path: string; readonly cookie: string }[] };

type Answer = { readonly type: string; readonly body: Buffer };

/** So many are fetched at once. */
const AT_ONCE = 16;

const fetched = async (url: string, path: string, cookie: string): Promise<Answer> => {
  const answer = await fetch(url + path, { headers: { cookie } });
  if (!answer.ok) throw new Error(`${path} was answered ${answer.status}`);
  return { type: answer.headers.get('content-type') ?? '', body: Buffer.from(await answer.arrayBuffer()) };
};

/** By cookie and path, since what is one's own is another answer for each. */
const answersTo = async ({ url, asked }: Wanted): Promise<ReadonlyMap<string, Answer>> => {
  const answers = new Map<string, Answer>();
  for (let from = 0; from < asked.length; from += AT_ONCE) {
    const some = asked.slice(from, from + AT_ONCE);
    await Promise.all(some.map(async ({ path, cookie }) => answers.set(cookie + path, await fetched(url, path, cookie))));
  }
  return answers;
};

// As in the shop: without it Koa is a fifth slower in every other run.
keepTicksFast();
let answers: ReadonlyMap<string, Answer> = new Map();
const app = new Koa();
app.use((ctx) => {
  const answer = answers.get((ctx.req.headers.cookie ?? '') + ctx.url);
  if (!answer) return;
  ctx.type = answer.type;
  ctx.body = answer.body;
});

const server = createServer(app.callback()).listen(0, '127.0.0.1');
await once(server, 'listening');
const address = server.address();
process.send?.({ port: typeof address === 'object' ? address?.port : undefined });
process.on('message', async (wanted: Wanted) => {
  answers = await answersTo(wanted);
  process.send?.('ready');
});
process.once('disconnect', () => process.exit());
