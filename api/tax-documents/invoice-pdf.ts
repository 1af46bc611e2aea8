import type { InvoiceLine, Seller } from '#domain/invoice/events.ts';
import { creditTotal, invoiceTotal, isWithinState, addUp, createTaxRows, type SumRow } from '#domain/invoice/invoice.ts';
import { taxDocumentNumber } from '#domain/invoice/tax-document-numbers.ts';
import { ASSUMED_PLACE, COPY, hasOddPaisa, ODD_PAISA, viewBuyer } from '#domain/invoice/view.ts';
import { describePlace, OTHER_COUNTRY } from '#domain/shared/states.ts';
import { formatRupees, rupees, ZERO, type Paise } from '#domain/shared/money.ts';

import { openTaxDocument, type Column, type Row } from '../pdf/pdf-page.ts';
import { PAPER_COLOURS, taxDocumentDate, heading, NAME, text, type Paragraph, type Style } from '../pdf/pdf.ts';
import { QR_CODE_SIDE } from '../pdf/qr-code.ts';
import { inWords, type RecordedTaxDocument } from './read-tax-documents.ts';

/** `proofLink` verifies the document; until it is there, the PDF says that it follows. */
export type PrintedTaxDocument = RecordedTaxDocument & { readonly proofLink?: string | undefined };

const styles = {
  text: { face: 'text', size: 10, line: 15 },
  cell: { face: 'text', size: 9, line: 11.5 },
  total: { face: 'strong', size: 11, line: 16 },
  words: { face: 'text', size: 9, line: 12 },
  sample: { face: 'strong', size: 11, line: 16, colour: PAPER_COLOURS.gold },
  small: { face: 'text', size: 8.5, line: 13, colour: PAPER_COLOURS.clove },
  proof: { face: 'strong', size: 9, line: 13, gap: 6, colour: PAPER_COLOURS.oxblood },
} as const satisfies Record<string, Style>;

/** The heights of the words below the QR code, of a row of sums, and of what is written above and below these rows. */
const [PROOF_HEIGHT, SUM_HEIGHT, WORDS_HEIGHT] = [19, 15.5, 67];

const LEGAL =
  'Tax is not payable on reverse charge. Issued electronically under the Information Technology Act, 2000: it needs no signature.';

const sellerBlock = ({ name, address, state, gstin }: Seller): readonly Paragraph[] => [
  heading('Sold by'),
  ...text(NAME, name),
  ...text(styles.text, address, describePlace(state), gstin === undefined ? '' : `GSTIN ${gstin}`),
];

const buyerBlock = (data: RecordedTaxDocument['data']): readonly Paragraph[] => {
  const { name, address, state } = viewBuyer(data);
  const { placeOfSupply, placeOfSupplyAssumed } = data;
  return [
    heading('Sold and delivered to'),
    ...text(NAME, name),
    ...text(styles.text, address === name ? '' : address, placeOfSupply === OTHER_COUNTRY ? state : describePlace(state)),
    ...text(styles.small, `Place of supply: ${describePlace(placeOfSupply)}`, placeOfSupplyAssumed ? ASSUMED_PLACE : ''),
  ];
};

/** `fits`: so many characters of an amount fit into a line; longer ones are set smaller, since a broken amount misleads. */
type Cell = Omit<Column, 'width'> & { readonly share: number; readonly fits?: number; readonly of: (line: InvoiceLine) => string };

const money = (title: string, share: number, fits: number, of: (line: InvoiceLine) => Paise): Cell => ({
  title,
  share,
  fits,
  align: 'right',
  of: (line) => formatRupees(of(line)),
});

/** Within a state the tax is halved between the state and the union. */
const listCells = (isOwnState: boolean): readonly Cell[] => [
  { title: 'Goods', share: isOwnState ? 0.217 : 0.329, of: ({ name }) => name },
  { title: 'HSN', share: 0.115, of: ({ hsn }) => hsn },
  { title: 'Bottles', share: 0.08, align: 'right', of: ({ quantity }) => String(quantity) },
  money('Price each', 0.122, 10, ({ unitPrice }) => unitPrice),
  money('Taxable value', 0.14, 12, ({ taxableValue }) => taxableValue),
  { title: 'Rate', share: 0.088, align: 'right', of: ({ rate }) => `${rate}%` },
  ...(isOwnState
    ? [money('CGST', 0.122, 10, ({ cgst }) => cgst), money('SGST', 0.116, 12, ({ sgst }) => sgst)]
    : [money('IGST', 0.126, 12, ({ igst }) => igst)]),
];

const cellText = ({ of, fits = Infinity }: Cell, line: InvoiceLine): readonly Paragraph[] => {
  const shown = of(line);
  return text({ ...styles.cell, size: Math.min(1, fits / shown.length) * styles.cell.size }, shown);
};

const extraRows = (taxDocument: RecordedTaxDocument): readonly SumRow[] => {
  const { giftWrap = ZERO } = taxDocument.data;
  const shipping = taxDocument.type === 'InvoiceIssued' ? taxDocument.data.shipping : ZERO;
  const rows: readonly SumRow[] = [
    ['Gift wrap, untaxed', giftWrap],
    ['Shipping', shipping],
  ];
  return rows.filter(([, amount]) => amount > ZERO);
};

/** So many characters of an amount fit beside the QR code. */
const SUM_FITS = 20;

const sumCells = ([label, amount]: SumRow, style: Style, sign = ''): Row => {
  const shown = sign + formatRupees(amount);
  return [text(style, label), text({ ...style, size: Math.min(1, SUM_FITS / shown.length) * style.size }, shown)];
};

type Table = { readonly columns: readonly Column[]; readonly rows: readonly Row[] };

/** All amounts that a tax document shows: its goods, its sums, and the total in words. */
export const amountsOn = (taxDocument: RecordedTaxDocument): { readonly goods: Table; readonly sums: Table; readonly words: string } => {
  const { lines } = taxDocument.data;
  const isInvoice = taxDocument.type === 'InvoiceIssued';
  const isOwnState = isWithinState(taxDocument.data);
  const total = isInvoice ? invoiceTotal(taxDocument.data) : creditTotal(taxDocument.data);
  const discount = isInvoice ? taxDocument.data.discount : ZERO;
  const cells = listCells(isOwnState);
  const sums = [['Taxable value', addUp(lines).taxableValue] as const, ...createTaxRows(lines, isOwnState), ...extraRows(taxDocument)];
  return {
    goods: {
      columns: cells.map(({ share, ...column }) => ({ ...column, width: share })),
      rows: lines.map((line) => cells.map((cell) => cellText(cell, line))),
    },
    sums: {
      columns: [
        { title: 'Sum', width: 0.55 },
        { title: 'Amount', width: 0.45, align: 'right' },
      ],
      rows: [
        ...sums.map((row) => sumCells(row, styles.cell)),
        ...(discount > ZERO ? [sumCells(['Discount', discount], styles.cell, '−')] : []),
        sumCells([isInvoice ? 'Total' : 'Total credited', total], styles.total),
      ],
    },
    words: inWords(rupees(total)),
  };
};

type Page = ReturnType<typeof openTaxDocument>;

/** The QR code and the words below it are the same link. */
const writeProof = (page: Page, kind: string, proofLink: string | undefined): void => {
  if (proofLink === undefined) {
    page.write([
      { text: 'Proof follows', style: styles.proof },
      ...text(styles.small, `A copy of this ${kind} that you open later has a code here, by which anybody can verify it.`),
    ]);
    return;
  }
  page.qrCode(proofLink, `QR code of the link that verifies this ${kind}`);
  page.link(`Scan or open: verify this ${kind}`, styles.proof, proofLink);
};

/**
 * An invoice or a credit note on A4, with all that rules 46 and 48 (53 for a credit note) of the CGST rules ask for. The same event gives the same
 * bytes. Without a GSTIN it says that it is a sample.
 */
export const renderInvoice = (taxDocument: PrintedTaxDocument): Promise<Buffer> => {
  const { stream, revision, data, proofLink } = taxDocument;
  const isInvoice = taxDocument.type === 'InvoiceIssued';
  const kind = isInvoice ? 'invoice' : 'credit note';
  const { goods, sums, words } = amountsOn(taxDocument);
  const written = openTaxDocument({
    kind: isInvoice ? 'Tax invoice' : 'Credit note',
    number: taxDocumentNumber(stream, revision),
    at: data.issuedAt,
    lines: [
      ...(isInvoice ? [COPY] : []),
      `Date ${taxDocumentDate(data.date)}`,
      `Order ${data.orderNumber}`,
      ...(isInvoice ? [] : [`For invoice ${taxDocument.data.invoice.number} of ${taxDocumentDate(taxDocument.data.invoice.date)}`]),
    ],
  });
  if (data.seller.gstin === undefined) {
    written.write(text(styles.sample, 'SAMPLE: the seller is not registered for GST here'));
    written.space(8);
  }
  written.beside([sellerBlock(data.seller), buyerBlock(data)]);
  written.space(13);
  written.table(goods.columns, goods.rows, 2);
  written.space(10);
  const writeSums = (): void => {
    written.table(sums.columns, sums.rows, 2);
    written.space(8);
    written.write([...text(styles.words, words), ...text(styles.small, hasOddPaisa(data.lines) ? ODD_PAISA : '')]);
  };
  const height = Math.max(QR_CODE_SIDE + PROOF_HEIGHT, sums.rows.length * SUM_HEIGHT + WORDS_HEIGHT);
  written.columns(QR_CODE_SIDE, height, () => writeProof(written, kind, proofLink), writeSums);
  written.write([{ text: LEGAL, style: { ...styles.small, gap: 6 } }]);
  return written.bytes();
};
