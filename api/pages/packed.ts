import { createHash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

export type Encoding = 'br' | 'gzip' | 'identity';

/** Half a millisecond for a page; the highest quality takes thirty and saves one part in twenty. */
const QUALITY = { [constants.BROTLI_PARAM_QUALITY]: 5 };

const pack: Readonly<Record<Encoding, (text: Buffer) => Buffer>> = {
  br: (text) => brotliCompressSync(text, { params: QUALITY }),
  gzip: (text) => gzipSync(text),
  identity: (text) => text,
};

/** A text as it goes over the wire: compressed when it is first asked for in that way, and kept so. */
export class Packed {
  readonly etag: string;
  /** In bytes, of which as a string every letter would take two: a price has a sign that no single byte has. */
  readonly #text: Buffer;
  readonly #bodies = new Map<Encoding, Buffer>();

  constructor(text: string) {
    this.#text = Buffer.from(text);
    this.etag = `W/"${createHash('sha256').update(this.#text).digest('base64url').slice(0, 22)}"`;
  }

  /** What it takes in memory, in bytes. */
  get size(): number {
    return [...this.#bodies.values()].reduce((sum, body) => (body === this.#text ? sum : sum + body.length), this.#text.length);
  }

  as(encoding: Encoding): Buffer {
    const body = this.#bodies.get(encoding) ?? pack[encoding](this.#text);
    this.#bodies.set(encoding, body);
    return body;
  }
}
