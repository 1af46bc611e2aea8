import { connect, type Socket } from 'node:net';

export type NextRequest = () => Buffer;

/** `asking`: one source of requests for each connection. */
export type HttpLoad = { readonly url: string; readonly asking: readonly NextRequest[]; readonly seconds: number };

export const requestFor = (path: string, cookie = ''): Buffer =>
  Buffer.from(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n${cookie && `Cookie: ${cookie}\r\n`}\r\n`);

const HEAD_END = '\r\n\r\n';
const LENGTH = /\r\ncontent-length: (\d+)/i;
const OK = 'HTTP/1.1 200 ';

/** The length of head and answer; undefined while the head is incomplete. Throws without a content length. */
export const answerLengths = (bytes: Buffer): { readonly head: number; readonly whole: number } | undefined => {
  const end = bytes.indexOf(HEAD_END);
  if (end < 0) return undefined;
  const [, length] = LENGTH.exec(bytes.toString('latin1', 0, end)) ?? [];
  if (length === undefined) throw new Error(`Unexpected answer: ${bytes.toString()}`);
  const head = end + HEAD_END.length;
  return { head, whole: head + Number(length) };
};

/** The length of an answer; 0 while its head is incomplete. Throws unless it is a 200. */
const lengthOf = (bytes: Buffer): number => {
  const lengths = answerLengths(bytes);
  if (lengths && bytes.toString('latin1', 0, OK.length) !== OK) throw new Error(`Unexpected answer: ${bytes.toString()}`);
  return lengths?.whole ?? 0;
};

/** Sends the next request after each answer. Returns the number of answers, once `isOver`. */
const askAway = (socket: Socket, next: NextRequest, isOver: () => boolean): Promise<number> =>
  new Promise((resolve, reject) => {
    let answers = 0;
    let missing = 0;
    let begun: Buffer | undefined;
    const ask = () => socket.write(next());
    const take = (bytes: Buffer): void => {
      if (missing === 0) {
        const head = begun ? Buffer.concat([begun, bytes]) : bytes;
        missing = lengthOf(head) - head.length;
        begun = missing < 0 ? head : undefined;
        if (begun) missing = 0;
      } else missing -= bytes.length;
      if (missing > 0 || begun) return;
      answers += 1;
      if (!isOver()) return void ask();
      socket.end();
      resolve(answers);
    };
    socket.on('data', (bytes) => {
      try {
        take(bytes);
      } catch (error) {
        socket.destroy();
        reject(error);
      }
    });
    socket.once('error', reject).once('close', () => reject(new Error('The connection was closed')));
    ask();
  });

export const connected = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(socket));
    socket.once('error', reject);
  });

/**
 * Answers per second. It only checks that an answer is a 200 and complete: a full HTTP client takes more processor time than a server with
 * prepared answers, and would make all servers look alike.
 */
export const answersPerSecond = async ({ url, asking, seconds }: HttpLoad): Promise<number> => {
  const port = Number(new URL(url).port);
  const connections = await Promise.all(asking.map(async (next) => ({ next, socket: await connected(port) })));
  const began = performance.now();
  const end = began + seconds * 1_000;
  const answers = await Promise.all(connections.map(({ socket, next }) => askAway(socket, next, () => performance.now() >= end)));
  return (answers.reduce((sum, each) => sum + each, 0) * 1_000) / (performance.now() - began);
};
