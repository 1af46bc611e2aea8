import type { Socket } from 'node:net';

import { Cookies } from '../../journeys/browsing.ts';
import { connected, answerLengths } from '../measuring/load.ts';

export type Step = {
  readonly method: 'POST' | 'PUT';
  readonly path: (visit: VisitState) => string;
  readonly body: () => object;
  readonly expected: number;
  /** In the journey's rate. */
  readonly counts: boolean;
  /** With an `Idempotency-Key`, as the shop's own client sends every change. */
  readonly isKeyed?: boolean;
  /** With the cookies of another one than the visitor. */
  readonly by?: string;
  readonly learn?: (visit: VisitState, answer: unknown) => void;
};
export type VisitState = { readonly cookies: Cookies; order: string; page: string };

type Answer = { readonly status: number; readonly head: string; readonly body: Buffer };

const answerIn = (bytes: Buffer): Answer | undefined => {
  const lengths = answerLengths(bytes);
  if (!lengths || bytes.length < lengths.whole) return undefined;
  const head = bytes.toString('latin1', 0, lengths.head);
  return { status: Number(head.slice('HTTP/1.1 '.length, 12)), head, body: bytes.subarray(lengths.head) };
};

/** The answer may come in several chunks. */
const exchange = (socket: Socket, request: string): Promise<Answer> =>
  new Promise((resolve, reject) => {
    let bytes: Buffer | undefined;
    const leave = (): void => void socket.off('data', take).off('error', fail).off('close', closed);
    const fail = (error: unknown): void => {
      leave();
      reject(error);
    };
    const closed = (): void => fail(new Error('The connection was closed'));
    const take = (piece: Buffer): void => {
      bytes = bytes ? Buffer.concat([bytes, piece]) : piece;
      try {
        const answer = answerIn(bytes);
        if (!answer) return;
        leave();
        resolve(answer);
      } catch (error) {
        fail(error);
      }
    };
    socket.on('data', take).on('error', fail).on('close', closed).write(request);
  });

const requestFor = ({ method, path, body, isKeyed, by }: Step, visit: VisitState): string => {
  const cookie = by ?? String(visit.cookies);
  const content = JSON.stringify(body());
  const length = Buffer.byteLength(content);
  const own = [cookie && `Cookie: ${cookie}\r\n`, isKeyed ? `Idempotency-Key: ${crypto.randomUUID()}\r\n` : ''].join('');
  const headers = `Host: localhost\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n${own}`;
  return `${method} ${path(visit)} HTTP/1.1\r\n${headers}\r\n${content}`;
};

const SET_COOKIE = /\r\nset-cookie: ([^\r]*)/gi;
const cookiesIn = (head: string): readonly string[] => Array.from(head.matchAll(SET_COOKIE), ([, cookie = '']) => cookie);

/** Throws when the status is not the expected one: refusals are fast, and would be counted as work. */
const take = async (socket: Socket, step: Step, visit: VisitState): Promise<void> => {
  const { status, head, body } = await exchange(socket, requestFor(step, visit));
  if (status !== step.expected)
    throw new Error(`Unexpected answer: ${step.method} ${step.path(visit)} was answered ${status} ${body.toString()}`);
  if (step.by === undefined) visit.cookies.keep(cookiesIn(head));
  step.learn?.(visit, JSON.parse(body.toString()));
};

type Load = { readonly url: string; readonly connections: number; readonly seconds: number };

/**
 * Counted steps per second of this many concurrent visitors, each followed by another one. With `settled` the time ends when that resolves:
 * when all work caused by the steps is done. Parses only as much HTTP as it needs, since it shares the machine with the shop.
 */
export const journeysPerSecond = async (
  { url, connections, seconds }: Load,
  steps: readonly Step[],
  settled: () => Promise<void> = async () => {},
): Promise<number> => {
  const began = performance.now();
  const isOver = (): boolean => performance.now() - began >= seconds * 1_000;
  let done = 0;
  const visitOver = async (socket: Socket): Promise<void> => {
    const visit: VisitState = { cookies: new Cookies(), order: '', page: '' };
    for (const step of steps) {
      if (isOver()) return;
      await take(socket, step, visit);
      if (step.counts) done += 1;
    }
  };
  const port = Number(new URL(url).port);
  const goThrough = async (): Promise<void> => {
    const socket = await connected(port);
    try {
      while (!isOver()) await visitOver(socket);
    } finally {
      socket.destroy();
    }
  };
  await Promise.all(Array.from({ length: connections }, goThrough));
  await settled();
  return (done * 1_000) / (performance.now() - began);
};
