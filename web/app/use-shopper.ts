import { useState } from 'react';
import type { User } from '../features/auth/auth-api.ts';

/**
 * Returns a number that changes when another shopper enters, but not when a visitor signs in, who keeps what they typed. It is the key of
 * forms that are filled with the shopper's data.
 */
export const useShopper = (user: User | null): number => {
  const [{ id, shopper }, setLast] = useState<{ readonly id: string | undefined; readonly shopper: number }>({ id: user?._id, shopper: 0 });
  if (id !== user?._id) setLast({ id: user?._id, shopper: id === undefined ? shopper : shopper + 1 });
  return shopper;
};
