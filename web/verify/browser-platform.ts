import { hashes, verify } from '@noble/ed25519';
import { sha256, sha512 } from '@noble/hashes/sha2.js';
import type { Platform } from '#domain/receipt/receipt.ts';

hashes.sha512 = (message) => new Uint8Array(sha512(message));

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

/**
 * What the verifier of receipts takes from a browser. Its Web Crypto is not used: pages without https have none, and older browsers have no
 * Ed25519 in it.
 */
export const browserPlatform: Platform = {
  sha256,
  // Without `zip215` signatures count only as RFC 8032 has them, as in Node.
  isSignedBy: (publicKey, message, signature) => verify(signature, message, publicKey, { zip215: false }),
  encodeUtf8: (text) => encoder.encode(text),
  decodeUtf8: (bytes) => decoder.decode(bytes),
};
