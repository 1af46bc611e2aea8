import { useRef, useState } from 'react';
import type { OrderId } from '#domain/shared/ids.ts';
import type { AdminOrder } from '../admin-types.ts';

export type Selection = {
  readonly orders: readonly AdminOrder[];
  readonly has: (id: OrderId) => boolean;
  /** Ticks an order or takes the tick away; with `isRange` all from the last one to this. */
  readonly toggle: (order: AdminOrder, isRange: boolean) => void;
  readonly set: (orders: readonly AdminOrder[]) => void;
};

type Chosen = { readonly known: string | undefined; readonly chosen: ReadonlyMap<OrderId, AdminOrder> };

/**
 * Returns the selected orders of the list named `of`, as `rows` has them where it does. Another list begins with an empty selection. `of` is
 * undefined while the rows of the former list are still shown, so that what is selected among them is not taken over.
 */
export const useSelection = (rows: readonly AdminOrder[], of: string | undefined): Selection => {
  const [{ known, chosen }, setState] = useState<Chosen>({ known: of, chosen: new Map() });
  const anchor = useRef<OrderId>(undefined);
  if (known !== of) setState({ known: of, chosen: new Map() });
  /** An answer that comes once another list is shown selects nothing there. */
  const setChosen = (next: Chosen['chosen']) => setState((now) => (now.known === of ? { ...now, chosen: next } : now));
  const set = (orders: readonly AdminOrder[]) => setChosen(new Map(orders.map((order) => [order._id, order])));
  const toggle = (order: AdminOrder, isRange: boolean): void => {
    const [from, to] = [rows.findIndex(({ _id }) => _id === anchor.current), rows.findIndex(({ _id }) => _id === order._id)];
    const range = isRange && from >= 0 && to >= 0 ? rows.slice(Math.min(from, to), Math.max(from, to) + 1) : [order];
    anchor.current = order._id;
    const next = new Map(chosen);
    // A range takes the state that the order at its end gets.
    const isOn = !chosen.has(order._id);
    for (const each of range) {
      if (isOn) next.set(each._id, each);
      else next.delete(each._id);
    }
    setChosen(next);
  };
  const newer = new Map(rows.map((order) => [order._id, order]));
  return { orders: [...chosen.values()].map((order) => newer.get(order._id) ?? order), has: (id) => chosen.has(id), toggle, set };
};
