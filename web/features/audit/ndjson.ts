import { api } from '../../lib/http/api.ts';

export type Lines = {
  /** The response text as it streams in. */
  readonly pieces: AsyncIterable<string>;
  /** Log position at which the response will end, when the server says so. */
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

/** Streams a response of any length. Throws when it is refused or `signal` aborts it. */
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

/** Splits streamed text into lines. */
export async function* parseLines(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of pieces) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}
