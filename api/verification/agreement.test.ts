import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { logPosition, type EventMetadata, type Recorded, type StreamName } from '#domain/event-store.ts';
import { orderStream } from '#domain/order/order.ts';
import type { CreditNoteEvent, InvoiceEvent } from '#domain/invoice/events.ts';
import { creditNotes, creditTotal, invoices, invoiceTotal, addUp, type IssueCreditNote } from '#domain/invoice/invoice.ts';
import type { CreditNoteView } from '#domain/invoice/view.ts';
import { explain, type Explained, type AmountName } from '#domain/order/explain.ts';
import { viewOrder, type OrderView } from '#domain/order/view.ts';
import type { DomainEvent } from '#domain/shared/decider.ts';
import { paise } from '#domain/shared/money.ts';
import { anySale, differences, type Costs, type Sale } from '#domain/testing/any-sale.ts';
import { deliveryDay, orderAfter } from '#domain/testing/orders.ts';
import { paymentAfter } from '#domain/testing/payments.ts';
import { rebuild } from '#projections/engine/rebuild.ts';
import { taxDocuments as taxDocumentModel } from '#projections/invoices/projector.ts';
import { taxDocumentQueries } from '#projections/invoices/queries.ts';
import { deskPaymentQueries } from '#projections/orders/desk-payment-queries.ts';
import { ordersDesk } from '#projections/orders/orders-desk.ts';
import { ordersDeskQueries } from '#projections/orders/orders-desk-queries.ts';
import { payments as paymentModel } from '#projections/orders/payment-statuses.ts';
import { stats } from '#projections/stats/projector.ts';
import { statsQueries } from '#projections/stats/queries.ts';
import { MemoryLog } from '#projections/testing/memory-log.ts';
import { nthOrder } from '#projections/testing/order-histories.ts';
import { openTestDatabase, type TestDatabase } from '#projections/testing/test-database.ts';

import { downloads, type Download } from '../admin/downloads.ts';
import { amountsOn, renderInvoice } from '../tax-documents/invoice-pdf.ts';
import type { RecordedTaxDocument } from '../tax-documents/read-tax-documents.ts';
import { listedInvoice, listTaxDocuments } from '../tax-documents/read-tax-documents.ts';
import { INVOICE_COLUMNS, invoiceRow } from '../tax-documents/routes.ts';
import { composeOrderMail, type OrderMailInput } from '../mail/templates/order-mails.ts';
import { readPdf } from '../pdf/testing/read-pdf.ts';
import { isLongRun } from '../testing/long-run.ts';

const SALES = isLongRun ? 10_000 : 200;
const PDFS = isLongRun ? 200 : 8;
const MINUTES = 180_000;

const RUPEES = /−?₹[\d,]+\.\d\d/g;
/** Returns paise: `₹2,450.00` becomes 245000. */
const inText = (text: string): number => Number(text.replace('−', '-').replaceAll(/[₹,.]/g, ''));
const allIn = (text: string): readonly number[] => (text.match(RUPEES) ?? []).map(inText);
/** Returns paise from rupees. It throws if the number has more than two decimals. */
const inJson = (rupees: number): number => {
  const text = rupees.toFixed(2);
  if (Number(text) !== rupees) throw new Error(`Not rupees: ${rupees}`);
  return Number(text.replace('.', ''));
};
const inCell = (cell = ''): number => (/^-?\d+\.\d\d$/.test(cell) ? Number(cell.replace('.', '')) : Number.NaN);
const added = (amounts: readonly number[]): number => amounts.reduce((all, amount) => all + amount, 0);

const SMALL =
  'Zero One Two Three Four Five Six Seven Eight Nine Ten Eleven Twelve Thirteen Fourteen Fifteen Sixteen Seventeen Eighteen Nineteen';
const valuesOf = (words: string, valueAt: (index: number) => number) => words.split(' ').map((word, at) => [word, valueAt(at)] as const);
const worth = new Map([
  ...valuesOf(SMALL, (at) => at),
  ...valuesOf('Twenty Thirty Forty Fifty Sixty Seventy Eighty Ninety', (at) => 20 + 10 * at),
  ...valuesOf('Thousand Lakh Crore Arab Kharab Neel', (at) => 10 ** (3 + 2 * at)),
]);
const numberOf = (words: string): number => {
  let [whole, below] = [0, 0];
  for (const word of words.split(' ').filter((each) => each !== 'And')) {
    const value = worth.get(word) ?? Number.NaN;
    if (word === 'Hundred') below *= 100;
    else if (value >= 1_000) [whole, below] = [whole + below * value, 0];
    else below += value;
  }
  return whole + below;
};
/** Returns paise: `Four Thousand One Hundred Twenty Eight Rupees And Sixty Two Paise Only` becomes 412862. */
const inWords = (words: string): number => {
  const [, rupees = 'Zero', paisas = 'Zero'] = /^(?:(.*) Rupees?(?: And )?)?(?:(.*) Pais[ae])? Only$/.exec(words) ?? ['', ''];
  return numberOf(rupees) * 100 + numberOf(paisas);
};

const recorded = <Event extends DomainEvent>(stream: StreamName, events: readonly Event[], first = 0): readonly Recorded<Event>[] =>
  events.map((event, index) => {
    const place = { stream, revision: first + index, position: logPosition(1n), metadata: {} as EventMetadata };
    return { ...event, ...place } as unknown as Recorded<Event>;
  });

const placedOrder = (sale: Sale, n: number): OrderMailInput['order'] => {
  const order = orderAfter(...sale.order);
  if (!order.placement) throw new Error('Every sale is placed');
  return { ...order, id: nthOrder(n), placement: order.placement };
};

const inOrderJson = ({ giftWrap, ...view }: OrderView): Partial<Costs> => ({
  subtotal: inJson(view.subtotal),
  tax: inJson(view.tax),
  giftWrap: giftWrap ? 39_00 : 0,
  total: inJson(view.total),
});

/** Reads the amounts in a mail and throws when its text and its HTML show different ones. */
const inMail = (given: Omit<OrderMailInput, 'publicUrl'>): Partial<Costs> & { readonly shown: readonly number[] } => {
  const { text, html } = composeOrderMail({ publicUrl: 'https://ruhani.example', page: 'https://ruhani.example/order/token', ...given });
  const row = (name: string): number => inText(new RegExp(`^${name}: (.*)$`, 'm').exec(text)?.[1] ?? '₹0.00');
  // The preview of the HTML repeats the first sentence.
  const [shown, shownInHtml] = [text, String(html)].map((each) => [...new Set(allIn(each))].join());
  if (shown !== shownInHtml) throw new Error(`The mail's HTML shows ${shownInHtml}, its text ${shown}`);
  return {
    lines: [...text.matchAll(/^\d+ x .* {2}(₹.*)$/gm)].map(([, amount = '']) => inText(amount)),
    subtotal: row('Subtotal'),
    tax: row('Taxes'),
    giftWrap: row('Gift Wrap'),
    total: row('Total'),
    shown: allIn(text),
  };
};

type Taxes = { readonly cgst: number; readonly sgst: number; readonly igst: number };
const taxOf = ({ cgst, sgst, igst }: Taxes): number => cgst + sgst + igst;

const inTaxDocumentEvent = ({ data }: RecordedTaxDocument): Costs => {
  const { lines } = data;
  const rates = [...new Set(lines.map(({ rate }) => rate))].toSorted((one, other) => other - one);
  const sums = addUp(lines);
  return {
    lines: lines.map(({ taxableValue }) => taxableValue),
    rates: rates.map((rate) => {
      const own = lines.filter((line) => line.rate === rate);
      return { rate, taxable: added(own.map(({ taxableValue }) => taxableValue)), tax: added(own.map(taxOf)) };
    }),
    subtotal: sums.taxableValue,
    tax: taxOf(sums),
    giftWrap: data.giftWrap ?? 0,
    total: 'shipping' in data ? invoiceTotal(data) : creditTotal(data),
  };
};

const inTaxDocumentJson = ({ lines, giftWrap, ...view }: CreditNoteView): Partial<Costs> => ({
  lines: lines.map(({ taxableValue }) => inJson(taxableValue)),
  subtotal: inJson(view.taxableValue),
  tax: inJson(view.cgst) + inJson(view.sgst) + inJson(view.igst),
  giftWrap: inJson(giftWrap),
  total: inJson(view.total),
});

/** Returns the texts that the PDF of an invoice or credit note must contain. */
const textsOn = (taxDocument: RecordedTaxDocument) => {
  const { goods, sums, words } = amountsOn(taxDocument);
  const inRows = (rows: typeof goods.rows) => rows.map((row) => row.map((cell) => cell.map(({ text }) => text).join(' ')));
  return { goods: inRows(goods.rows), sums: inRows(sums.rows), words };
};
const inTaxDocument = (taxDocument: RecordedTaxDocument): Partial<Costs> => {
  const { goods, sums, words } = textsOn(taxDocument);
  const taxes = sums.flatMap(([label = '', amount = '']) => {
    const [, part, rate, taxable = ''] = /^([CSI]GST) (.*)% on (.*)$/.exec(label) ?? [];
    return part === undefined ? [] : [{ rate: Number(rate) * (part === 'IGST' ? 1 : 2), taxable: inText(taxable), tax: inText(amount) }];
  });
  const rates = [...new Set(taxes.map(({ rate }) => rate))];
  const row = (name: string): number => inText(sums.find(([label]) => label === name)?.[1] ?? '₹0.00');
  const total = inText(sums.at(-1)?.[1] ?? '');
  // Each row has name, HSN code, number of bottles, price, taxable value, rate and taxes.
  return {
    lines: goods.map((cells) => inText(cells[4] ?? '')),
    rates: rates.map((rate) => {
      const own = taxes.filter((each) => each.rate === rate);
      return { rate, taxable: own[0]?.taxable ?? 0, tax: added(own.map(({ tax }) => tax)) };
    }),
    subtotal: row('Taxable value'),
    tax: added(goods.flatMap((cells) => cells.slice(6).map(inText))),
    giftWrap: row('Gift wrap, untaxed'),
    total: inWords(words) === total ? total : Number.NaN,
  };
};

const inInvoiceCsv = (row: readonly string[] = []): Partial<Costs> => {
  const cell = (name: string): number => inCell(row[INVOICE_COLUMNS.indexOf(name)]);
  return {
    subtotal: cell('Taxable Value'),
    tax: cell('CGST') + cell('SGST') + cell('IGST'),
    giftWrap: cell('Gift Wrap'),
    total: cell('Total'),
  };
};

const inExplanation = (amounts: readonly Explained[]) => {
  const named = (name: AmountName) => amounts.find((each) => each.name === name);
  const parts = (name: AmountName): readonly number[] =>
    (named(name)?.parts ?? []).map(({ amount }) => Math.sign(amount) * inJson(Math.abs(amount)));
  const amount = (name: AmountName): number => {
    const whole = inJson(named(name)?.amount ?? Number.NaN);
    return whole === added(parts(name)) ? whole : Number.NaN;
  };
  return {
    costs: {
      lines: parts('subtotal'),
      rates: (named('tax')?.parts ?? []).map(({ label, amount: tax }) => {
        const [rate = '', taxable = ''] = label.split('% of ');
        return { rate: Number(rate), taxable: inText(taxable), tax: inJson(tax) };
      }),
      subtotal: amount('subtotal'),
      tax: amount('tax'),
      giftWrap: amount('giftWrap'),
      total: amount('total'),
    },
    paid: amount('paid'),
    refunded: amount('refunded'),
  };
};

const log = new MemoryLog();
log.pageSize = Number.POSITIVE_INFINITY;
const sold: Sale[] = [];
const sampled: RecordedTaxDocument[] = [];
let issued = 0;
let noted = 0;

const invoiceOf = (sale: Sale, order: OrderMailInput['order']): Recorded<InvoiceEvent> => {
  const seller = { name: 'RUHANI', address: 'Lane 1, Kannauj 209725, India', state: sale.sellerState };
  const command = { type: 'IssueInvoice', id: order.id, order, seller, isErased: false, shippedAt: deliveryDay, now: deliveryDay } as const;
  const decision = invoices.decide(invoices.initial, command);
  const [invoice] = decision.ok ? recorded('invoices-2026-2027', decision.events, issued++) : [];
  if (!invoice) throw new Error('No invoice');
  return invoice;
};

/** Issues a credit note for each part of the order that was returned, and then one for the rest. */
const notesOf = ({ parts }: Sale, { data: invoice }: Recorded<InvoiceEvent>): readonly Recorded<CreditNoteEvent>[] => {
  const earlier: CreditNoteEvent['data'][] = [];
  return [...parts.map((part) => [part]), undefined].flatMap((returned, index) => {
    const command: IssueCreditNote = {
      type: 'IssueCreditNote',
      invoice,
      invoiceNumber: 'RH/26-27/000001',
      ...(returned && { returned }),
      orderRevision: 5 + index,
      isErased: false,
      returnedAt: deliveryDay,
      now: deliveryDay,
    };
    const decision = creditNotes.decide({ notes: earlier }, command);
    const events = decision.ok ? decision.events : [];
    earlier.push(...events.map(({ data }) => data));
    noted += events.length;
    return recorded('credit-notes-2026-2027', events, noted - events.length);
  });
};

const checkTaxDocuments = (sale: Sale, order: OrderMailInput['order']): readonly string[] => {
  const { costs } = sale;
  const isReturned = order.status === 'returned';
  const invoice = invoiceOf(sale, order);
  const notes = isReturned ? notesOf(sale, invoice) : [];
  for (const { stream, type, data } of [invoice, ...notes]) log.append(stream, { type, data });
  if (sampled.length < PDFS) sampled.push(invoice, ...notes);
  const view = listedInvoice({ invoice, notes });
  const [csv, ...credited] = listTaxDocuments({ invoice, notes }).map(invoiceRow).map(inInvoiceCsv);
  const { cgst, sgst } = addUp(invoice.data.lines);
  const isOwnState = sale.placeOfSupply === sale.sellerState;
  const halves = costs.rates.map(({ tax }) => Math.floor(tax / 2));
  return [
    ...differences(costs, {
      invoice: inTaxDocumentEvent(invoice),
      'invoice JSON': inTaxDocumentJson(view),
      'invoice JSON in words': { total: inWords(view.totalInWords) },
      'invoice PDF': inTaxDocument(invoice),
      'invoices CSV': csv ?? {},
    }),
    ...notes.flatMap((note, index) => {
      const [json] = view.creditNotes.slice(index);
      return differences(inTaxDocumentEvent(note), {
        'credit note JSON': json ? inTaxDocumentJson(json) : {},
        'credit note PDF': inTaxDocument(note),
      });
    }),
    ...(invoice.data.placeOfSupply === sale.placeOfSupply ? [] : [`supplied in ${invoice.data.placeOfSupply}`]),
    ...(cgst === (isOwnState ? added(halves) : 0) && (isOwnState || sgst === 0) ? [] : [`CGST ${cgst}, SGST ${sgst}`]),
    ...differences(
      { ...costs, total: isReturned ? costs.total : 0 },
      {
        'credit notes': { total: added(notes.map(({ data }) => creditTotal(data))) },
        'invoices CSV, credited': { total: -added(credited.map(({ total = Number.NaN }) => total)) },
      },
    ),
  ];
};

const mailsOfPayment = (order: OrderMailInput['order'], inFirst: readonly number[]) => {
  const { shown: _, ...reminder } = inMail({ news: 'payment-reminder', order });
  const { shown, ...paid } = inMail({ news: 'order-paid', order });
  return {
    'its button': { total: inFirst.at(-1) ?? 0 },
    reminder,
    'mail of the payment': paid,
    'its first sentence': { total: shown[0] ?? 0 },
  };
};

const checkSale = (sale: Sale, n: number): readonly string[] => {
  const { costs, paid, refunded } = sale;
  const order = placedOrder(sale, n);
  const payment = paymentAfter(...sale.payment);
  log.append(orderStream(order.id), ...sale.order);
  if (sale.payment.length > 0) log.append(`payment-${order.id}`, ...sale.payment);

  const json = viewOrder(order.id, order, payment);
  const explained = explain(recorded(orderStream(order.id), sale.order), recorded(`payment-${order.id}`, sale.payment));
  const explanation = inExplanation(explained ?? []);
  const { shown, ...mail } = inMail({ news: 'order-placed', order });
  return [
    ...differences(costs, {
      'draft JSON': inOrderJson(viewOrder(order.id, sale.draft)),
      'order JSON': inOrderJson(json),
      payment: { total: inJson(json.payment.amount) },
      mail,
      ...(order.placement.method === 'Prepaid' && mailsOfPayment(order, shown)),
      explanation: explanation.costs,
    }),
    ...differences({ ...costs, total: paid }, { 'paid in the explanation': { total: explanation.paid } }),
    ...differences(
      { ...costs, total: refunded },
      {
        'refunded in the explanation': { total: explanation.refunded },
        'refunded in JSON': { total: inJson(json.payment.refunded) },
        'mail of the refund': {
          total: refunded === 0 ? 0 : (inMail({ news: 'order-refunded', order, amount: paise(refunded) }).shown[0] ?? 0),
        },
      },
    ),
    ...(order.status === 'cancelled' ? [] : checkTaxDocuments(sale, order)),
  ];
};

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

test(`${SALES} orders have equal amounts, to the paisa, in JSON, mail, invoice, PDF, CSV and explanation`, { timeout: MINUTES }, () =>
  fc.assert(
    fc.property(anySale, (sale) => {
      expect(checkSale(sale, sold.length)).toEqual([]);
      sold.push(sale);
    }),
    { numRuns: SALES },
  ),
);

const amountsIn = async ({ columns, pages }: Download, names: readonly string[]) => {
  const sources = {
    db: undefined as never,
    sealed: undefined as never,
    desk: ordersDeskQueries(database),
    payments: deskPaymentQueries(database),
  };
  const amounts: (readonly number[])[] = [];
  for await (const page of pages(sources)) amounts.push(...page.map((row) => names.map((name) => inCell(row[columns.indexOf(name)]))));
  return amounts;
};

test('the CSV files and figures of all orders have the same amounts', { timeout: MINUTES }, async () => {
  for (const model of [ordersDesk, paymentModel, stats, taxDocumentModel])
    await rebuild(model, log, database, { signal: new AbortController().signal });
  const newestFirst = sold.toReversed();
  expect(await amountsIn(downloads.orders, ['Subtotal', 'Tax', 'Total'])).toEqual(
    newestFirst.map(({ costs: { subtotal, tax, total } }) => [subtotal, tax, total]),
  );
  expect(await amountsIn(downloads.payments, ['Amount', 'Received', 'Refunded'])).toEqual(
    newestFirst.map(({ costs: { total }, paid, refunded }) => [total, paid, refunded]),
  );

  const kept = sold.filter((sale) => !['cancelled', 'returned'].includes(orderAfter(...sale.order).status));
  const { figures } = await statsQueries(database).at(deliveryDay);
  expect(figures).toMatchObject({ totalOrders: SALES, totalSales: added(kept.map(({ costs }) => costs.total)) });

  const taxed: Record<string, readonly [taxable: number, tax: number]> = {};
  for (const { placeOfSupply, costs } of kept)
    for (const { rate, taxable, tax } of costs.rates) {
      const [taxedBefore, taxBefore] = taxed[`${placeOfSupply} ${rate}`] ?? [0, 0];
      taxed[`${placeOfSupply} ${rate}`] = [taxedBefore + taxable, taxBefore + tax];
    }
  const summary = await taxDocumentQueries(database).taxed({});
  expect(Object.fromEntries(summary.map((row) => [`${row.state} ${row.rate}`, [row.taxableValue, taxOf(row)]]))).toEqual(taxed);
});

test(`the text of ${PDFS} PDFs has the same amounts`, { timeout: MINUTES }, async () => {
  expect(sampled.length).toBeGreaterThanOrEqual(PDFS);
  for (const taxDocument of sampled.slice(0, PDFS)) {
    const { pages } = await readPdf(await renderInvoice(taxDocument));
    const text = pages.join(' ').replaceAll(/\s+/g, ' ');
    const { goods, sums, words } = textsOn(taxDocument);
    for (const said of [...goods, ...sums].map((cells) => cells.join(' '))) expect(text).toContain(said);
    expect(text).toContain(words);
    expect(allIn(text)).toEqual([...goods, ...sums].flat().flatMap(allIn));
  }
});
