import { createHash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

export type Encoding = 'br' | 'gzip' | 'identity';

/** Half a millisecond for a page; the highest quality takes thirty and saves one part in twenty. */
const QUALITY = { [constants.BROTLI_PARAM_QUALITY]: 5 };

const pack: Readonly<Record<Encoding, (text: string) => Buffer>> = {
  br: (text) => brotliCompressSync(text, { params: QUALITY }),
  gzip: (text) => gzipSync(text),
  identity: (text) => Buffer.from(text),
};

/** A text as it goes over the wire: compressed when it is first asked for in that way, and kept so. */
export class Packed {
  readonly etag: string;
  readonly #bodies = new Map<Encoding, Buffer>();

  constructor(readonly text: string) {
    this.etag = `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
  }

  as(encoding: Encoding): Buffer {
    const body = this.#bodies.get(encoding) ?? pack[encoding](this.text);
    this.#bodies.set(encoding, body);
    return body;
  }
}
