import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

import { CannotStart, getErrorCode } from './cannot-start.ts';

/** Headers and requests must be complete after this many ms. */
const HEADERS_WITHIN = 10_000;
const REQUEST_WITHIN = 30_000;
const IDLE = 15_000;
const CHECKED_EVERY = 2_000;

/** A connection has at most this many requests under way. Browsers and proxies send one after the other. */
const REQUESTS_OF_CONNECTION = 16;

/** After an answer that did not wait for the body, the rest of the body is dropped for this many ms, and then the connection is closed. */
const BODY_DROPPED_FOR = 5_000;

/** Closing waits this many ms for requests under way. */
const GRACE = 10_000;

/** These headers are for responses that the application does not give. */
const ownHeaders = () => ({
  'Content-Security-Policy': "default-src 'none';frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Request-Id': randomUUID(),
});

const answerNotOpen = (_: unknown, res: ServerResponse): void => {
  const headers = { ...ownHeaders(), 'Content-Type': 'application/json; charset=utf-8', 'Retry-After': '1' };
  res.writeHead(503, headers).end('{"message":"The shop is opening. Please try again in a moment.","code":"unavailable"}');
};

/** Limits the requests that a client sends without waiting for responses. The further ones are answered with 429, and the connection ends. */
const limitPipelining = (listen: RequestListener): RequestListener => {
  const underWay = new WeakMap<Socket, number>();
  return (req, res) => {
    const { socket } = req;
    const others = underWay.get(socket) ?? 0;
    if (others >= REQUESTS_OF_CONNECTION) {
      const headers = { ...ownHeaders(), 'Content-Type': 'application/json; charset=utf-8', 'Retry-After': '1', Connection: 'close' };
      return void res
        .writeHead(429, headers)
        .end('{"message":"Too many requests at once on one connection. Please wait for the answers.","code":"too_many_requests"}');
    }
    underWay.set(socket, others + 1);
    res.once('close', () => underWay.set(socket, (underWay.get(socket) ?? 1) - 1));
    listen(req, res);
  };
};

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/**
 * Reads and drops what is left of a body, because a client that is still sending does not read the answer before it is done: if the
 * connection were closed meanwhile, it would see a lost network.
 */
const dropRestOfBody = (req: IncomingMessage, res: ServerResponse): void => {
  const { socket } = req;
  const closeSoon = socket.destroySoon;
  const drop = (): void => {
    const timer = setTimeout(() => socket.destroy(), BODY_DROPPED_FOR);
    req.once('close', () => clearTimeout(timer)).once('end', () => clearTimeout(timer));
    req.resume();
  };
  // Node calls this after an answer that ends the connection.
  socket.destroySoon = () => {
    if (req.complete) return closeSoon.call(socket);
    socket.end();
    req.once('end', () => closeSoon.call(socket));
  };
  res.once('finish', () => {
    if (!req.complete) drop();
  });
  res.once('close', () => (socket.destroySoon = closeSoon));
};

const STATUS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** Rejects input that is not HTTP, so that it never reaches the application. */
const rejectMalformed = (error: Error, socket: Duplex): void => {
  if (!socket.writable || getErrorCode(error) === 'ECONNRESET') return void socket.destroy();
  const status = STATUS[getErrorCode(error) ?? ''] ?? '400 Bad Request';
  const headers = Object.entries({ Connection: 'close', 'Content-Length': '0', ...ownHeaders() });
  socket.end(`HTTP/1.1 ${status}\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`);
};

type Place = {
  readonly host: string;
  /** 0 means any free port. */
  readonly port: number;
  /** If false (the default), the processes of a cluster share the port. */
  readonly isOwn?: boolean;
  /** Error messages name this variable, which sets the port. Default: PORT. */
  readonly variable?: string;
};

const whyNot = (error: unknown, { host, port, variable = 'PORT' }: Place): CannotStart => {
  const code = getErrorCode(error) ?? '';
  if (code === 'EADDRINUSE')
    return new CannotStart(`Port ${port} on ${host} is taken: end the program that uses it, or set ${variable} to another one.`);
  if (code === 'EACCES') return new CannotStart(`Port ${port} may not be used by this user: set ${variable} to one above 1023.`);
  return new CannotStart(`HOST ${host} is not an address of this machine (${code}): set HOST to one that is, such as 127.0.0.1.`);
};

const listen = (server: Server, place: Place): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', (error) => reject(whyNot(error, place)));
    const { host, port, isOwn = false } = place;
    server.listen({ port, host, exclusive: isOwn }, () => {
      const address = server.address();
      resolve(address && typeof address === 'object' ? address.port : port);
    });
  });

/** `unused` are connections without a request yet, which Node does not count as idle. */
const close = async (server: Server, unused: ReadonlySet<Socket>): Promise<void> => {
  const isClosed = new Promise<void>((resolve) => void server.close(() => resolve()));
  for (const socket of unused) socket.destroy();
  // Closes connections that become idle after their last response.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  const deadline = setTimeout(() => server.closeAllConnections(), GRACE);
  await isClosed;
  clearInterval(sweep);
  clearTimeout(deadline);
};

const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);

/** Listens immediately, so that a port in use is reported first. Throws `CannotStart`. */
export const openWebServer = async (place: Place) => {
  const { host } = place;
  const limits = { headersTimeout: HEADERS_WITHIN, requestTimeout: REQUEST_WITHIN, keepAliveTimeout: IDLE };
  let listener: RequestListener = answerNotOpen;
  const unused = new Set<Socket>();
  const answer = limitPipelining((req, res) => listener(req, res));
  const server = createServer({ ...limits, connectionsCheckingInterval: CHECKED_EVERY }, (req, res) => {
    unused.delete(req.socket);
    if (hasBody(req)) dropRestOfBody(req, res);
    answer(req, res);
  });
  server.on('connection', (socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  server.on('clientError', rejectMalformed);
  const actual = await listen(server, place);
  const name = LOOPBACK.has(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return {
    /** The URL has the actual port. */
    url: `http://${name}:${actual}`,
    /** Starts serving; until then requests are answered with 503. */
    serve: (next: RequestListener) => (listener = next),
    /** Waits at most ten seconds for requests under way. */
    close: () => close(server, unused),
  };
};
