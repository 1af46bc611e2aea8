import { randomFillSync } from 'node:crypto';

const POOL_BYTES = 4_096;

let pool = Buffer.alloc(0);
let used = 0;

/**
 * So many random bytes, for keys and tokens, in a buffer of their own. They are drawn many at a time, as Node draws those of its UUIDs: asking
 * for a dozen costs as much as asking for thousands. Bytes handed out are not kept.
 */
export const pooledRandomBytes = (size: number): Buffer => {
  if (used + size > pool.length) {
    pool = randomFillSync(Buffer.allocUnsafeSlow(Math.max(POOL_BYTES, size)));
    used = 0;
  }
  const end = used + size;
  const bytes = Buffer.from(pool.subarray(used, end));
  pool.fill(0, used, end);
  used = end;
  return bytes;
};
