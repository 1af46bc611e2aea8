import { useState } from 'react';
import type { OrderId } from '#domain/shared/ids.ts';
import type { AdminOrder } from '../admin-types.ts';

type Kept = { readonly of: string | undefined; readonly rows: ReadonlyMap<OrderId, AdminOrder> };

export type StillRows = {
  readonly rows: readonly AdminOrder[];
  /** Rows that are no longer in the list, but keep their place. */
  readonly hasLeft: (order: AdminOrder) => boolean;
  /** So many new rows wait to be shown. */
  readonly waiting: number;
  readonly showAll: () => void;
};

/**
 * Keeps the rows of a list in their places while it changes: they show what is new about them, those that left it stay, further pages follow
 * at its end, and new ones wait until they are asked for. Another list, named by `of`, begins anew; undefined while its rows are not there.
 */
export const useStillRows = (latest: readonly AdminOrder[], of: string | undefined): StillRows => {
  const [kept, setKept] = useState<Kept>({ of: undefined, rows: new Map() });
  const all = (): Kept => ({ of, rows: new Map(latest.map((order) => [order._id, order])) });
  const isAnew = kept.of !== of;
  const last = latest.findLastIndex(({ _id }) => kept.rows.has(_id));
  const further = latest.slice(last + 1);
  const newest = new Map(latest.map((order) => [order._id, order]));
  if (isAnew) setKept(all());
  else if (last >= 0 && (further.length > 0 || [...kept.rows].some(([id, row]) => newest.has(id) && newest.get(id) !== row))) {
    const rows = [...kept.rows.values(), ...further].map((order): [OrderId, AdminOrder] => [order._id, newest.get(order._id) ?? order]);
    setKept({ of, rows: new Map(rows) });
  }
  const rows = isAnew || kept.rows.size === 0 ? latest : [...kept.rows.values()];
  const waiting = isAnew || kept.rows.size === 0 ? 0 : latest.filter(({ _id }) => !kept.rows.has(_id)).length;
  return { rows, waiting, hasLeft: ({ _id }) => of !== undefined && !newest.has(_id), showAll: () => setKept(all()) };
};
