import { request } from 'node:http';

export type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: unknown;
};
type Sent = { readonly body?: unknown; readonly headers?: Record<string, string>; readonly from?: string };

export type Browser = {
  readonly cookies: Map<string, string>;
  readonly setCookies: string[];
  get(path: string, sent?: Sent): Promise<Answer>;
  post(path: string, body?: unknown, sent?: Sent): Promise<Answer>;
  send(method: string, path: string, sent?: Sent): Promise<Answer>;
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/** Returns a `Cookie` header, for calls whose body is not JSON or whose response is streamed. */
export const getCookieHeader = ({ cookies }: Pick<Browser, 'cookies'>): string =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');

/** Gives these cookies to a browser, and returns it. */
export const withCookies = <Given extends Pick<Browser, 'cookies'>>(at: Given, cookies: Iterable<readonly [string, string]>): Given => {
  for (const [name, value] of cookies) at.cookies.set(name, value);
  return at;
};

/** Requests again while the answer is stale, as it is on a busy machine: a request waits for its own changes for two seconds only. */
export const getFresh = async (at: Pick<Browser, 'get'>, path: string): Promise<Answer> => {
  let answer = await at.get(path);
  while (answer.headers['x-stale'] !== undefined) answer = await at.get(path);
  return answer;
};

/** Makes a browser that keeps cookies and calls from the local address `from`. */
export const browser = (url: string, from = '127.0.0.1'): Browser => {
  const cookies = new Map<string, string>();
  const setCookies: string[] = [];

  const keep = (header: string): void => {
    setCookies.push(header);
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(header) ?? [];
    if (value === '') cookies.delete(name);
    else cookies.set(name, value);
  };

  const send = (method: string, path: string, sent: Sent = {}): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const cookie = getCookieHeader({ cookies });
      const isText = typeof sent.body === 'string';
      const headers = {
        ...(cookie && { cookie }),
        ...(sent.body !== undefined && { 'content-type': 'application/json' }),
        ...sent.headers,
      };
      const asked = request(new URL(path, url), { method, headers, localAddress: sent.from ?? from, agent: false }, (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', reject);
        answer.on('end', () => {
          for (const header of answer.headers['set-cookie'] ?? []) keep(header);
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: parsed(Buffer.concat(chunks).toString('utf8')) });
        });
      });
      asked.on('error', reject);
      asked.end(sent.body === undefined ? undefined : isText ? String(sent.body) : JSON.stringify(sent.body));
    });

  return {
    cookies,
    setCookies,
    get: (path, sent) => send('GET', path, sent),
    post: (path, body, sent) => send('POST', path, { ...sent, body }),
    send,
  };
};
