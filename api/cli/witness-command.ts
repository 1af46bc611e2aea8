import { createServer, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';
import { hostname } from 'node:os';
import getRawBody from 'raw-body';

import { CannotStart, getErrorCode } from '../platform/cannot-start.ts';
import { LogWitness, NOTHING_SIGNED } from '../transparency/witness.ts';

type WitnessDeps = {
  readonly port: number;
  readonly host: string;
  readonly directory: string;
  readonly out: (line: string) => void;
  readonly signal: AbortSignal;
};

/** A checkpoint with all of its signatures is smaller. */
const MOST_BYTES = 64 * 1_024;
const KEYS_WITHIN_MS = 10_000;

const readKeys = async (logUrl: string): Promise<string> => {
  const answer = await fetch(`${logUrl}/key`, { signal: AbortSignal.timeout(KEYS_WITHIN_MS) });
  if (!answer.ok) throw new Error(`${logUrl}/key answers ${answer.status}`);
  return answer.text();
};

/** Returns the status of an error that the client made: a body that is too long or breaks off. */
const findClientStatus = (error: unknown): number | undefined => {
  const status = error instanceof Error && 'status' in error ? Number(error.status) : NaN;
  return status >= 400 && status < 500 ? status : undefined;
};

/** Returns the address at which others reach a server that listens on this host: by the machine's name if it listens on all addresses. */
export const witnessUrl = (host: string, port: number): string => {
  const name = host === '0.0.0.0' || host === '::' ? hostname() : host;
  return `http://${isIPv6(name) ? `[${name}]` : name}:${port}`;
};

const respond = async (witness: LogWitness, req: IncomingMessage): Promise<{ status: number; type: string; body: string }> => {
  const text = { type: 'text/plain; charset=utf-8' };
  const [, originHash] = /^\/([0-9a-f]{64})\/checkpoint$/.exec(req.url ?? '') ?? [];
  if (req.method === 'POST' && req.url === '/add-checkpoint')
    return witness.add(await getRawBody(req, { limit: MOST_BYTES, encoding: 'utf8' }));
  if (req.method !== 'GET' || originHash === undefined) return { ...text, status: 404, body: 'There is nothing at this address\n' };
  const latest = await witness.readLatest(originHash);
  return latest === undefined ? { ...text, status: 404, body: NOTHING_SIGNED } : { ...text, status: 200, body: latest };
};

/** Runs `npm run witness -- <log url>` until it is stopped. Returns the exit code. */
export const witnessCommand = async (args: readonly string[], { port, host, directory, out, signal }: WitnessDeps): Promise<number> => {
  const [logUrl, ...others] = args;
  if (logUrl === undefined || others.length > 0 || !/^https?:\/\/\S+$/.test(logUrl)) {
    out('Usage: npm run witness -- <log url>     such as https://shop.example/log');
    out('Cosigns the checkpoints of this log at WITNESS_PORT. WITNESS_DIR keeps its key, the keys of the log, and what it signed last.');
    return 1;
  }
  const witness = await LogWitness.open(directory, () => readKeys(logUrl.replace(/\/$/, '')));
  const server = createServer((req, res) => {
    respond(witness, req).then(
      ({ status, type, body }) => res.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store' }).end(body),
      (error: unknown) => {
        const status = findClientStatus(error);
        if (status === undefined) out(`A request failed: ${error instanceof Error ? error.message : String(error)}`);
        res
          .writeHead(status ?? 500, { 'Content-Type': 'text/plain; charset=utf-8' })
          .end(status === undefined ? 'The witness failed\n' : 'The request is too long or incomplete\n');
      },
    );
  });
  try {
    await once(server.listen(port, host), 'listening');
  } catch (error) {
    throw new CannotStart(`WITNESS_PORT ${port} of ${host} cannot be used (${getErrorCode(error)}): set another one.`);
  }
  const address = server.address();
  out(`${witness.vkey} ${witnessUrl(host, typeof address === 'object' && address ? address.port : port)}`);
  if (!signal.aborted) await once(signal, 'abort');
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  return 0;
};
