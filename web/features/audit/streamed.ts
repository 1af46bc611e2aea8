import { api, getMessage } from '../../lib/http/api.ts';

type Call = { readonly url: string; readonly params?: Readonly<Record<string, string | number>> };

type Lines = {
  readonly pieces: AsyncIterable<string>;
  /** The log position at which the response will end, when the server sends it. */
  readonly end: number | undefined;
};

async function* decodeText(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = stream.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel();
  }
}

/** Streams a response of any length. It throws when the server refuses or `signal` aborts. */
export const fetchLines = async ({ url, params }: Call, signal: AbortSignal): Promise<Lines> => {
  const { data, headers } = await api.get<ReadableStream<Uint8Array>>(url, {
    params,
    adapter: 'fetch',
    responseType: 'stream',
    headers: { Accept: 'application/x-ndjson' },
    signal,
  });
  const end: unknown = headers['x-log-end'];
  return { pieces: decodeText(data), end: typeof end === 'string' ? Number(end) : undefined };
};

export async function* parseLines(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of pieces) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}

/** `progress` goes from 0 to 1. */
type Running = { readonly state: 'running'; readonly progress: number; readonly doing: string };
export type Ended<Result> = { readonly state: 'done'; readonly result: Result } | { readonly state: 'failed'; readonly message: string };
export type Streamed<Result> = Running | Ended<Result>;

export type OnProgress = (progress: number, doing?: string) => void;

const runningAt = (progress: number, doing = ''): Running => ({ state: 'running', progress, doing });

type CacheEntry<Result> = {
  readonly cacheDataLoaded: Promise<unknown>;
  readonly cacheEntryRemoved: Promise<void>;
  readonly updateCachedData: (update: () => Streamed<Result>) => unknown;
};

/**
 * Creates an endpoint whose answer is shown while it is read. `useLazy…Query` begins the reading, and it is aborted when no component shows
 * it any more (`reset`, or the page is left). Each reading needs an argument of its own, because RTK Query does not repeat a query that is
 * shown. `fallback` is the message for failures without one.
 */
export const streamed = <Arg, Result>(
  read: (arg: Arg, signal: AbortSignal, onProgress: OnProgress) => Promise<Ended<Result>>,
  fallback: string,
) => ({
  queryFn: (): { data: Streamed<Result> } => ({ data: runningAt(0) }),
  keepUnusedDataFor: 0,
  onCacheEntryAdded: async (arg: Arg, { cacheDataLoaded, cacheEntryRemoved, updateCachedData }: CacheEntry<Result>): Promise<void> => {
    const leaving = new AbortController();
    void cacheEntryRemoved.then(() => leaving.abort());
    await cacheDataLoaded;
    const show = (now: Streamed<Result>): void => {
      if (!leaving.signal.aborted) updateCachedData(() => now);
    };
    try {
      show(await read(arg, leaving.signal, (progress, doing) => show(runningAt(progress, doing))));
    } catch (error) {
      show({ state: 'failed', message: getMessage(error, fallback) });
    }
  },
});
