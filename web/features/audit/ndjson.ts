import { api } from '../../lib/http/api.ts';

export type Lines = {
  /** The text as it comes, in pieces that end anywhere. */
  readonly pieces: AsyncIterable<string>;
  /** Position in the log at which the answer will end, where the server says so. */
  readonly end: number | undefined;
};

async function* textOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
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

/** An answer of any length, read while it is sent. Throws when it is refused, or when `signal` ends it. */
export const fetchLines = async (url: string, signal: AbortSignal): Promise<Lines> => {
  const { data, headers } = await api.get<ReadableStream<Uint8Array>>(url, {
    adapter: 'fetch',
    responseType: 'stream',
    headers: { Accept: 'application/x-ndjson' },
    signal,
  });
  const end: unknown = headers['x-log-end'];
  return { pieces: textOf(data), end: typeof end === 'string' ? Number(end) : undefined };
};

/** Whole lines of text that comes in pieces. */
export async function* parseLines(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of pieces) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}
