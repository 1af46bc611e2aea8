import { shipmentFields, type ShipmentTexts } from '#domain/order/shipment-texts.ts';
import { isOrderNumber } from '#domain/shared/ids.ts';

type Typed = Partial<ShipmentTexts>;

export type Pasted = {
  /** By order number: only the cells that were filled. */
  readonly rows: ReadonlyMap<string, Typed>;
  /** Lines that name no order of this list, counted from 1. */
  readonly strangers: readonly { readonly line: number; readonly text: string }[];
};

const isLink = (cell: string): boolean => /^https?:\/\//i.test(cell);

const cellsOf = (line: string): readonly string[] => line.split(line.includes('\t') ? '\t' : /[;,]/).map((cell) => cell.trim());

/**
 * Reads what was copied from a spreadsheet: in each line an order number, then courier, number and link. The number may stand in any column,
 * a link is known by its look, and a tracking number that stands without a courier by its digits, so that the order of lines and a missing
 * cell do not matter. A heading is no stranger.
 */
export const parseShipments = (text: string, numbers: ReadonlySet<string>): Pasted => {
  const rows = new Map<string, Typed>();
  const strangers: { line: number; text: string }[] = [];
  const lines = text.split(/\r\n|\r|\n/);
  for (const [index, line] of lines.entries()) {
    const cells = cellsOf(line);
    if (cells.every((cell) => cell === '')) continue;
    const at = cells.findIndex((cell) => isOrderNumber(cell.toUpperCase()));
    const number = cells[at]?.toUpperCase() ?? '';
    if (!numbers.has(number)) {
      const isHead = index === 0 && lines.length > 1 && at === -1 && cells.every((cell) => !/\d/.test(cell));
      if (!isHead) strangers.push({ line: index + 1, text: number || (cells.find((cell) => cell !== '') ?? '') });
      continue;
    }
    const others = cells.filter((_, place) => place !== at);
    const texts = others.filter((cell) => cell !== '' && !isLink(cell));
    const isNumberAlone = texts.length === 1 && texts.some((text) => /\d/.test(text));
    const [courier = '', trackingNumber = ''] = isNumberAlone ? ['', ...texts] : texts;
    const typed = { courier, trackingNumber, trackingUrl: others.find(isLink) ?? '' };
    rows.set(number, Object.fromEntries(shipmentFields.flatMap((field) => (typed[field] === '' ? [] : [[field, typed[field]]]))));
  }
  return { rows, strangers };
};
