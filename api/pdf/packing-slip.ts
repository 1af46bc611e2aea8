import { isLost } from '#domain/event-store.ts';
import type { PlacedOrder } from '#domain/order/rules.ts';
import type { ShippingAddress } from '#domain/order/events.ts';
import { textsFor } from '#domain/order/texts.ts';
import { dateInIndia } from '#domain/shared/time.ts';

import { openTaxDocument } from './pdf-page.ts';
import { PAPER_COLOURS, taxDocumentDate, heading, NAME, text, writeBook, type Paragraph, type Pdf, type Style } from './pdf.ts';

const styles = {
  name: NAME,
  text: { face: 'text', size: 10.5, line: 16 },
  product: { face: 'display', size: 14, line: 18 },
  details: { face: 'text', size: 9, line: 13, colour: PAPER_COLOURS.clove },
  quantity: { face: 'strong', size: 11, line: 18 },
  message: { face: 'italic', size: 15, line: 21 },
} as const satisfies Record<string, Style>;

const formatAddress = ({ name, address1, address2, city, state, postalCode, country, phone }: ShippingAddress): readonly Paragraph[] => {
  // A lost address has all of its fields lost, so it is shown once.
  if (isLost(name) && phone === name) return text(styles.text, name);
  const region = [state, country].filter(Boolean).join(', ');
  return [...text(styles.name, name), ...text(styles.text, address1, address2, `${city} ${postalCode}`, region, phone)];
};

export const writeSlip = (order: PlacedOrder, book?: Pdf) => {
  const { placement, lines, shippingAddress, giftWrap, giftMessage } = order;
  const bottles = lines.reduce((sum, { quantity }) => sum + quantity, 0);
  const head = {
    kind: 'Packing slip',
    number: placement.number,
    at: placement.placedAt,
    lines: [`Placed ${taxDocumentDate(dateInIndia(placement.placedAt))}`],
  };
  const taxDocument = openTaxDocument(head, book);
  taxDocument.beside([
    [heading('Deliver to'), ...formatAddress(shippingAddress)],
    [
      heading('Parcel'),
      ...text(styles.name, bottles === 1 ? '1 bottle' : `${bottles} bottles`),
      ...text(styles.text, giftWrap ? 'Gift wrapped' : 'No gift wrap', giftMessage === '' ? '' : 'With a gift message'),
    ],
  ]);
  taxDocument.space(22);
  taxDocument.table(
    [
      { title: 'Perfume', width: 0.84 },
      { title: 'Quantity', width: 0.16, align: 'right' },
    ],
    lines.map(({ name, details, quantity }) => [
      [...text(styles.product, name), ...text(styles.details, details.split('\n')[0] ?? '')],
      text(styles.quantity, String(quantity)),
    ]),
  );
  for (const { shortTitle, isQuoted, text: written } of textsFor('packer', order)) {
    taxDocument.space(22);
    taxDocument.write([heading(shortTitle), ...text(isQuoted ? styles.message : styles.text, written)]);
  }
  return taxDocument;
};

/**
 * Writes the list of what goes into the parcel, with address and messages, on A4. It has no prices, because the parcel may be a present.
 */
export const packingSlip = (order: PlacedOrder): Promise<Buffer> => writeSlip(order).bytes();

/** Writes the slips of several orders, each on pages of its own. */
export const packingSlips = (orders: readonly PlacedOrder[]): Promise<Buffer> =>
  writeBook('Packing slips', orders, (order, book) => writeSlip(order, book).end());
