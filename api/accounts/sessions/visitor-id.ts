import { uuidFrom } from '#domain/shared/ids.ts';

import { pooledRandomBytes } from '../../platform/random-bytes.ts';

/**
 * A UUID of version 7 (RFC 9562): it begins with the time, in milliseconds. Rows and streams with visitor ids (carts in the log, keys,
 * orders) are then added to an index beside the latest ones, and not all over an index that no longer fits into memory. The id gives no
 * access: that is the session token's purpose.
 */
export const newVisitorId = (at: Date): string => {
  const bytes = pooledRandomBytes(16);
  bytes.writeUIntBE(at.getTime(), 0, 6);
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  return uuidFrom(bytes.toString('hex'));
};
