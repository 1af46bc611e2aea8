import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import { mapShipment, type ShipmentTexts } from '#domain/order/shipment-texts.ts';
import type { OrderId } from '#domain/shared/ids.ts';
import type { AdminOrder } from '../../admin-types.ts';

export type ParcelTexts = ShipmentTexts & { readonly placeOfSupply: string };
/** What was typed or pasted, by the id of the order. */
export type Sheet = Readonly<Record<string, Partial<ParcelTexts> | undefined>>;

type ShipmentSheet = {
  readonly orders: readonly AdminOrder[];
  readonly sheet: Sheet;
  /** It stands in the rows that have no courier of their own. */
  readonly courier: string;
};

const initialState: ShipmentSheet = { orders: [], sheet: {}, courier: '' };
const EMPTY: ParcelTexts = { ...mapShipment(() => ''), placeOfSupply: '' };

const without = (sheet: Sheet, ids: readonly OrderId[]): Sheet =>
  Object.fromEntries(Object.entries(sheet).filter(([id]) => !ids.some((each) => each === id)));

/** Orders to ship, and what was typed for them, belong to the admin's store, so that they are still there when the table was left. */
export const shipmentSheetSlice = createSlice({
  name: 'shipmentSheet',
  initialState,
  reducers: {
    ordersChosen: (state, { payload: orders }: PayloadAction<readonly AdminOrder[]>): ShipmentSheet => ({ ...state, orders }),
    orderTakenOff: ({ orders, sheet, courier }, { payload: id }: PayloadAction<OrderId>): ShipmentSheet => ({
      orders: orders.filter((order) => order._id !== id),
      sheet: without(sheet, [id]),
      courier,
    }),
    parcelTyped: (
      state,
      { payload: { id, changes } }: PayloadAction<{ readonly id: OrderId; readonly changes: Partial<ParcelTexts> }>,
    ): ShipmentSheet => ({ ...state, sheet: { ...state.sheet, [id]: { ...state.sheet[id], ...changes } } }),
    sheetReplaced: (state, { payload: sheet }: PayloadAction<Sheet>): ShipmentSheet => ({ ...state, sheet }),
    courierTyped: (state, { payload: courier }: PayloadAction<string>): ShipmentSheet => ({ ...state, courier }),
    // What was typed for other orders stays.
    parcelsSent: ({ orders, sheet }): ShipmentSheet => ({
      ...initialState,
      sheet: without(
        sheet,
        orders.map(({ _id }) => _id),
      ),
    }),
    sheetEmptied: () => initialState,
  },
});

/** Returns what a row of the table shows. */
export const textsOf = ({ _id }: AdminOrder, { sheet, courier }: ShipmentSheet): ParcelTexts => ({ ...EMPTY, courier, ...sheet[_id] });

/** Returns whether anything would be lost of what was typed for the orders to ship. */
export const isTyped = ({ orders, sheet, courier }: ShipmentSheet): boolean =>
  orders.length > 0 && (courier !== '' || orders.some(({ _id }) => Object.values(sheet[_id] ?? {}).some((text) => text !== '')));
