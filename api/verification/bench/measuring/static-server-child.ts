import { once } from 'node:events';
import { createServer, get, type OutgoingHttpHeaders } from 'node:http';

/**
 * Serve the answers to these paths with this cookie. `anyPath`: every other path gets one of them in turn, for requests that are never
 * repeated.
 */
export type Wanted = {
  readonly url: string;
  readonly asked: readonly { readonly path: string; readonly cookie: string }[];
  readonly anyPath: boolean;
};

type Answer = { readonly headers: OutgoingHttpHeaders; readonly body: Buffer };

const AT_ONCE = 16;
/** `node:http` writes its own, and the date. */
const OF_CONNECTION = new Set(['connection', 'keep-alive', 'transfer-encoding', 'date']);

/** Like the load without `Accept-Encoding`, so that the bytes are the same. */
const fetched = async (url: string, path: string, cookie: string): Promise<Answer> => {
  const [answer] = await once(get(url + path, { headers: cookie ? { cookie } : {} }), 'response');
  const pieces: Buffer[] = await answer.toArray();
  if (answer.statusCode !== 200) throw new Error(`${path} was answered ${answer.statusCode}`);
  const headers = Object.fromEntries(Object.entries(answer.headers).filter(([name]) => !OF_CONNECTION.has(name)));
  return { headers: headers as OutgoingHttpHeaders, body: Buffer.concat(pieces) };
};

/** By cookie and path, since a shopper's own data differ. */
const answersTo = async ({ url, asked }: Wanted): Promise<ReadonlyMap<string, Answer>> => {
  const answers = new Map<string, Answer>();
  for (let from = 0; from < asked.length; from += AT_ONCE) {
    const some = asked.slice(from, from + AT_ONCE);
    await Promise.all(some.map(async ({ path, cookie }) => answers.set(cookie + path, await fetched(url, path, cookie))));
  }
  return answers;
};

let answers: ReadonlyMap<string, Answer> = new Map();
let inTurn: readonly Answer[] = [];
let turn = 0;

/** The least work for a server in Node: a look-up, one head, one body. */
const server = createServer((request, response) => {
  const answer = answers.get((request.headers.cookie ?? '') + request.url) ?? inTurn[turn++ % inTurn.length];
  if (answer) response.writeHead(200, answer.headers).end(answer.body);
  else response.writeHead(404).end();
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const address = server.address();
process.send?.({ port: typeof address === 'object' ? address?.port : undefined });
process.on('message', async (wanted: Wanted) => {
  answers = await answersTo(wanted);
  inTurn = wanted.anyPath ? [...answers.values()] : [];
  process.send?.('ready');
});
process.once('disconnect', () => process.exit());
