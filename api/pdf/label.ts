import { isLost } from '#domain/event-store.ts';
import type { Seller } from '#domain/invoice/events.ts';
import type { PlacedOrder } from '#domain/order/rules.ts';
import { computeTotals } from '#domain/order/totals.ts';
import { formatRupees } from '#domain/shared/money.ts';

import { writeSlip } from './packing-slip.ts';
import { PAPER_COLOURS, text, writeBook, writerOn, type Paragraph, type Pdf, type Style } from './pdf.ts';

/** A6, in points. */
const LABEL = { width: 297.64, height: 419.53, margin: 22 };
const WIDTH = LABEL.width - 2 * LABEL.margin;

const styles = {
  small: { face: 'text', size: 8.5, line: 12, colour: PAPER_COLOURS.clove },
  from: { face: 'text', size: 9, line: 12.5 },
  to: { face: 'text', size: 8.5, line: 14, colour: PAPER_COLOURS.clove, gap: 12 },
  name: { face: 'strong', size: 16, line: 20 },
  address: { face: 'text', size: 13, line: 17.5 },
  code: { face: 'strong', size: 20, line: 26 },
  pay: { face: 'strong', size: 14, line: 19, gap: 12 },
} as const satisfies Record<string, Style>;

/** A long address is written smaller, so that a label is one page. */
const SCALES = [1, 0.85, 0.7, 0.55, 0.4] as const;

const scaled = ({ style, ...paragraph }: Paragraph, by: number): Paragraph => {
  const { size, line, gap = 0 } = style;
  return { ...paragraph, style: { ...style, size: size * by, line: line * by, gap: gap * by } };
};

export type LabelSubject = { readonly orders: readonly PlacedOrder[]; readonly seller: Seller };

const formatAddress = ({ name, address1, address2, city, state, postalCode, country, phone }: PlacedOrder['shippingAddress']) => {
  // A lost address has all of its fields lost, so it is shown once.
  if (isLost(name) && phone === name) return text(styles.name, name);
  return [
    ...text(styles.name, name),
    ...text(styles.address, address1, address2, `${city}, ${state}`),
    ...text(styles.code, postalCode),
    ...text(styles.address, country, `Phone ${phone}`),
  ];
};

const contentOf = ({ placement, shippingAddress, shipment, ...order }: PlacedOrder, seller: Seller): readonly Paragraph[] => {
  const isCash = placement.method === 'COD';
  const { courier = '', trackingNumber = '' } = shipment ?? {};
  return [
    ...text(styles.small, 'From'),
    ...text(styles.from, seller.name, seller.address),
    { text: 'To', style: styles.to, tag: 'H2' },
    ...formatAddress(shippingAddress),
    ...text(styles.pay, isCash ? `Cash on delivery: collect ${formatRupees(computeTotals(order).total)}` : 'Prepaid: collect nothing'),
    ...text(styles.from, `Order ${placement.number}`, [courier, trackingNumber].filter(Boolean).join(' · ')),
  ];
};

const writeLabel = (order: PlacedOrder, seller: Seller, book: Pdf): void => {
  book.addPage({ size: [LABEL.width, LABEL.height], margin: 0 });
  const { lay, write } = writerOn(book);
  const content = contentOf(order, seller);
  const blocks = SCALES.map((by) =>
    lay(
      content.map((each) => scaled(each, by)),
      WIDTH,
    ),
  );
  const block = blocks.find(({ height }) => height <= LABEL.height - 2 * LABEL.margin) ?? blocks.at(-1);
  const root = book.struct('Document');
  book.addStructure(root);
  for (const { lines, style, tag = 'P', top } of block?.laid ?? []) {
    const element = book.struct(tag);
    root.add(element);
    element.add(() => lines.forEach((line, index) => write(line.text, style, LABEL.margin, LABEL.margin + top + index * style.line))).end();
  }
  root.end();
};

/** Writes the labels of parcels, one on each page of A6: from whom, to whom, and what the courier collects. */
export const labels = ({ orders, seller }: LabelSubject): Promise<Buffer> =>
  writeBook('Labels', orders, (order, book) => writeLabel(order, seller, book));

/** Writes each order's slip and then its label: a packer takes one parcel after the other, and no label comes to lie on another's. */
export const slipsAndLabels = ({ orders, seller }: LabelSubject): Promise<Buffer> =>
  writeBook('Slips and labels', orders, (order, book) => {
    writeSlip(order, book).end();
    writeLabel(order, seller, book);
  });
