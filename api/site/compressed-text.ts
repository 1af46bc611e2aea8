import { createHash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

export type Encoding = 'br' | 'gzip' | 'identity';

/** Half a millisecond a page; the highest quality takes thirty and saves one byte in twenty. */
const QUALITY = { [constants.BROTLI_PARAM_QUALITY]: 5 };

const pack: Readonly<Record<Encoding, (text: Buffer) => Buffer>> = {
  br: (text) => brotliCompressSync(text, { params: QUALITY }),
  gzip: (text) => gzipSync(text),
  identity: (text) => text,
};

/** A text in each encoding: compressed when it is first requested in that encoding, and kept. */
export class Packed {
  readonly etag: string;
  /** As bytes: the rupee sign makes a string take two bytes for every character. */
  readonly #text: Buffer;
  readonly #bodies = new Map<Encoding, Buffer>();

  constructor(text: string) {
    this.#text = Buffer.from(text);
    this.etag = `W/"${createHash('sha256').update(this.#text).digest('base64url').slice(0, 22)}"`;
  }

  /** Its size in memory, in bytes. */
  get size(): number {
    return [...this.#bodies.values()].reduce((sum, body) => (body === this.#text ? sum : sum + body.length), this.#text.length);
  }

  as(encoding: Encoding): Buffer {
    const body = this.#bodies.get(encoding) ?? pack[encoding](this.#text);
    this.#bodies.set(encoding, body);
    return body;
  }
}
