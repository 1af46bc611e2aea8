import autocannon, { type Request } from 'autocannon';

import { Cookies } from '../drill/browsing.ts';

/** One request of a visitor, made of what the visit has brought so far. */
export type Step = {
  readonly method: 'POST' | 'PUT';
  readonly path: (visit: Visit) => string;
  readonly body: () => object;
  readonly expected: number;
  /** Whether it is what the journey is measured by. */
  readonly counts: boolean;
  /** Keeps of the answer what the rest of the visit has to know. */
  readonly learn?: (visit: Visit, answer: unknown) => void;
};
/** A visit begins without cookies, hence as somebody whom the shop has not met. */
export type Visit = { readonly cookies: Cookies; order: string };

/** autocannon hands one empty object to all requests of a visit, for us to keep in it what we want. */
const visitOf = (context: object): Visit => {
  const visit = context as Partial<Visit>;
  return Object.assign(visit, { cookies: visit.cookies ?? new Cookies(), order: visit.order ?? '' });
};

/** Several are in a list, one alone is not. */
const cookiesIn = (headers: Request['headers'] = {}): readonly string[] =>
  [headers['Set-Cookie'] ?? headers['set-cookie'] ?? []].flat().map(String);

type Seen = { done: number; unexpected: string | undefined };

const requestOf = ({ method, path, body, expected, counts, learn }: Step, seen: Seen): Request => ({
  method,
  setupRequest: (request, context) => {
    const visit = visitOf(context);
    const cookie = String(visit.cookies);
    const headers = { 'Content-Type': 'application/json', ...(cookie !== '' && { Cookie: cookie }) };
    return { ...request, path: path(visit), body: JSON.stringify(body()), headers };
  },
  onResponse: (status, answer, context, headers) => {
    const visit = visitOf(context);
    visit.cookies.keep(cookiesIn(headers));
    if (status !== expected) seen.unexpected ??= `${method} ${path(visit)} was answered ${status} ${answer}`;
    else if (counts) seen.done += 1;
    if (learn && status === expected) learn(visit, JSON.parse(answer));
  },
});

type Load = { readonly url: string; readonly connections: number; readonly seconds: number };

/**
 * Has so many visitors at a time go through these steps, each followed by another one, and gives how many of the steps that count were
 * done a second. Throws when the shop answers anything with another status than expected: a refusal is quick, and no work.
 */
export const journeysPerSecond = async ({ url, connections, seconds }: Load, steps: readonly Step[]): Promise<number> => {
  const seen: Seen = { done: 0, unexpected: undefined };
  const result = await autocannon({ url, connections, duration: seconds, requests: steps.map((step) => requestOf(step, seen)) });
  const broken = seen.unexpected ?? (result.errors > 0 ? `${result.errors} requests had no answer` : undefined);
  if (broken !== undefined) throw new Error(`The shop does not do what is measured: ${broken}`);
  return seen.done / result.duration;
};
