import { createPublicKey, hash, verify } from 'node:crypto';
import type { Platform } from '#domain/receipt/receipt.ts';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

/** What the verifier of receipts takes from Node. */
export const nodePlatform: Platform = {
  sha256: (bytes) => hash('sha256', bytes, 'buffer'),
  isSignedBy: (publicKey, message, signature) => {
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(publicKey).toString('base64url') };
    return verify(null, message, createPublicKey({ key: jwk, format: 'jwk' }), signature);
  },
  encodeUtf8: (text) => encoder.encode(text),
  decodeUtf8: (bytes) => decoder.decode(bytes),
};
