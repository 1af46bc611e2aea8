import { uuidFrom } from '#domain/shared/uuid.ts';

import { pooledRandomBytes } from '../random-bytes.ts';

/**
 * A UUID of version 7 (RFC 9562): it begins with this moment, to the millisecond. What is kept under the ids of visitors (carts in the log,
 * keys, orders by who has them) is then added to an index beside what was added last, and not anywhere in one that no longer fits into
 * memory. It lets nobody in: that is what the token of a session is for.
 */
export const newVisitorId = (at: Date): string => {
  const bytes = pooledRandomBytes(16);
  bytes.writeUIntBE(at.getTime(), 0, 6);
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  return uuidFrom(bytes.toString('hex'));
};
