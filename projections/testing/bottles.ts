import type { StreamName } from '#domain/event-store.ts';
import type { Paise } from '#domain/shared/money.ts';

import { defineProjector, rowsTable, streamId, sumsTable } from '../engine/define-projector.ts';

/** The events of a small read model for tests, with every kind of failure that a read model can have. */
export type BottleEvent =
  | { type: 'BottleFilled'; data: { scent: string; millilitres: number } }
  | { type: 'BottleLabelled'; data: { label: string } }
  | { type: 'BottleSold'; data: { price: Paise; day: string } }
  | { type: 'BottleBroken'; data: { day: string } };

export type BottleRow = {
  readonly bottle_id: string;
  readonly scent: string;
  readonly millilitres: number;
  readonly label: string | null;
  readonly price: Paise | null;
  readonly position: bigint;
};
export type TakingsRow = { readonly day: string; readonly bottles: number; readonly takings: Paise };

const NOTHING = 0 as Paise;

const tables = {
  bottles: rowsTable<BottleRow>({
    key: 'bottle_id',
    columns: { bottle_id: 'text', scent: 'text', millilitres: 'integer', label: 'json', price: 'paise', position: 'position' },
    indexes: ['(scent, bottle_id)'],
  }),
  takings: sumsTable<TakingsRow, 'day'>({ key: 'day', columns: { day: 'day', bottles: 'integer', takings: 'paise' } }),
};

/**
 * Projects bottles in stock and takings by day. A negative amount makes the handler throw, until `forgiving` (the fix) treats it as an
 * empty bottle; the database refuses an amount above the range of integers; a missing scent throws only when the row is written.
 */
export const bottleShopVersion = <const Version extends number>({
  version,
  forgiving = false,
}: {
  version: Version;
  forgiving?: boolean;
}) =>
  defineProjector<BottleEvent>()({
    name: 'bottle-shop',
    version,
    categories: ['product'],
    tables,
    on: {
      BottleFilled: ({ bottles }, { stream, position, data: { scent, millilitres } }) => {
        if (millilitres < 0 && !forgiving) throw new Error('A bottle cannot hold less than nothing');
        bottles.set({
          bottle_id: streamId(stream),
          get scent() {
            if (scent === '') throw new Error('A bottle smells of something');
            return scent;
          },
          millilitres: Math.max(0, millilitres),
          label: null,
          price: null,
          position,
        });
      },
      BottleLabelled: ({ bottles }, { stream, position, data }) => {
        const bottle = bottles.get(streamId(stream));
        if (!bottle) throw new Error('There is no bottle to label');
        bottles.set({ ...bottle, label: JSON.stringify({ text: data.label }), position });
      },
      BottleSold: ({ bottles, takings }, { stream, position, data: { price, day } }) => {
        const bottle = bottles.get(streamId(stream));
        takings.add({ day, bottles: 1, takings: price });
        if (!bottle) throw new Error('There is no bottle to sell');
        bottles.set({ ...bottle, price, position });
      },
      BottleBroken: ({ bottles, takings }, { stream, data: { day } }) => {
        bottles.delete(streamId(stream));
        takings.add({ day, bottles: -1, takings: NOTHING });
      },
    },
  });

export const bottleShop = bottleShopVersion({ version: 1 });

export const bottle = (name: string): StreamName => `product-${name}`;
export const filled = (scent: string, millilitres = 50): BottleEvent => ({ type: 'BottleFilled', data: { scent, millilitres } });
export const labelled = (label: string): BottleEvent => ({ type: 'BottleLabelled', data: { label } });
export const sold = (paise: number, day = '2026-11-14'): BottleEvent => ({ type: 'BottleSold', data: { price: paise as Paise, day } });
export const broken = (day = '2026-11-15'): BottleEvent => ({ type: 'BottleBroken', data: { day } });
