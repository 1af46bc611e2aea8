import { randomUUID } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { describe, expect, test, vi } from 'vitest';

import { ERASED, logPosition, type EventMetadata, type Recorded } from '#domain/event-store.ts';
import type { InvoiceEvent, InvoiceNumber } from '#domain/invoice/events.ts';
import { invoices } from '#domain/invoice/invoice.ts';
import { taxDocumentNumber, taxDocumentStream } from '#domain/invoice/tax-document-numbers.ts';
import { ASSUMED_PLACE } from '#domain/invoice/view.ts';
import type { ExistingOrder } from '#domain/order/rules.ts';
import { taxRate } from '#domain/tax/rates.ts';
import {
  created,
  decideReturn,
  deliveryDay,
  giveBack,
  home,
  moveTo,
  receiveReturn,
  orderAfter,
  placed,
  soldLines,
} from '#domain/testing/orders.ts';
import { add, oudSaffronMajlis, ruhGulab } from '#domain/testing/products.ts';
import { orderId, shopperId } from '#domain/shared/ids.ts';
import { verifyReceipt } from '#domain/receipt/receipt.ts';
import { paise } from '#domain/shared/money.ts';
import { dateInIndia, instant } from '#domain/shared/time.ts';
import { taxDocumentQueries } from '#projections/invoices/queries.ts';

import { getCookieHeader, getFresh } from '../accounts/testing/browser.ts';
import { change } from '../cart/testing/shopping.ts';
import { admin, auditor, form, ordering, signedInAs, signedUp, type OrderingBrowser } from '../orders/testing/ordering.ts';
import { placedBy, toOrder } from '../orders/testing/placing.ts';
import { readPdf } from '../pdf/testing/read-pdf.ts';
import { whenOrderMovesTellShopper } from '../reactions/when-order-moves-tell-shopper.ts';
import type { Reaction } from '../reactions/reaction.ts';
import { readTime } from '../platform/postgres/database-clock.ts';
import { openShopForFile, openShopForTest, type TestShop } from '../testing/test-shop.ts';
import { createExecute } from '../command-handler/execute.ts';
import { nodePlatform } from '../transparency/node-platform.ts';
import { publicLogAt } from '../transparency/testing/log-reader-over-http.ts';
import { renderInvoice } from './invoice-pdf.ts';
import { issueTaxDocuments } from './issue-tax-documents.ts';
import { invoiceAttachment, inWords } from './read-tax-documents.ts';
import { whenOrderMovesIssueTaxDocuments } from './when-order-moves-issue-tax-documents.ts';

const gstin = '09AAACR1234A1Z5';
/** The stream of today's invoices. */
const invoicesNow = () => taxDocumentStream('invoices', dateInIndia(shop.now()));

const seller = { name: 'RUHANI', address: 'Lane 1, Kannauj 209725, India', state: 'Uttar Pradesh', gstin } as const;
const shop = await openShopForFile({ people: { admin, auditor }, seller, projecting: true, reacting: true });
await change([shop], oudSaffronMajlis, add());
const alice = await signedUp(shop, 'alice@example.com');
const desk = await signedInAs(shop, admin);

const confirmedOrder = async (at: OrderingBrowser, changes: object = {}): Promise<string> => {
  const { _id: id } = await at.buy(changes);
  await desk.move(id, 'confirmed');
  return id;
};

const shippedOrder = async (changes: object = {}, at = alice): Promise<string> => {
  const id = await confirmedOrder(at, changes);
  await desk.move(id, 'shipped');
  return id;
};

/** Deletes the encryption key of the order's shopper. */
const erase = async (id: string): Promise<void> => {
  const { events } = await shop.store.read(`order-${id}`);
  await shop.keys.erase(events.flatMap(({ data }) => ('shopper' in data ? String(data.shopper) : []))[0] ?? '');
};

/** Ships an order whose shopper is erased before its invoice is issued. */
const shipErased = async (id: string): Promise<void> => {
  await erase(id);
  await toOrder(shop, orderId(id), moveTo('shipped'));
};

const pathOf = (id: string): string => `/api/order/${id}/invoice`;
const invoiceOf = (id: string, at: OrderingBrowser = alice): Promise<Record<string, unknown>> =>
  vi.waitFor(
    async () => {
      const { status, body } = await at.get(pathOf(id));
      expect(status).toBe(200);
      return body as Record<string, unknown>;
    },
    { timeout: 30_000, interval: 50 },
  );
const pdfOf = async (path: string, at: OrderingBrowser = alice, { url }: Pick<TestShop, 'url'> = shop): Promise<Uint8Array> => {
  const answer = await fetch(url + path, { headers: { cookie: getCookieHeader(at) } });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/pdf']);
  return new Uint8Array(await answer.arrayBuffer());
};

/** Makes the invoice event of an order, for a seller without a GSTIN. */
const taxDocumentOf = ({ placement, ...order }: ExistingOrder): Recorded<InvoiceEvent> => {
  if (!placement) throw new Error('It is not placed');
  const seller = { name: 'RUHANI', address: 'Kannauj 209725, India', state: 'Uttar Pradesh' } as const;
  const command = { type: 'IssueInvoice', id: orderId(randomUUID()), order: { ...order, placement }, seller, isErased: false } as const;
  const decision = invoices.decide(invoices.initial, { ...command, shippedAt: deliveryDay, now: deliveryDay });
  const [event] = decision.ok ? decision.events : [];
  if (!event) throw new Error('It has an invoice');
  return { ...event, stream: 'invoices-2026-2027', revision: 0, position: logPosition(1n), metadata: {} as EventMetadata };
};

describe('the invoice of an order', () => {
  test('exists once the order has shipped', async () => {
    await alice.add({ _id: oudSaffronMajlis });
    const { order } = await alice.create({ ...form, giftWrap: true });
    expect(await alice.get(pathOf(order._id))).toMatchObject({ status: 404, body: { message: 'No invoice yet' } });
    await alice.place(order._id);
    await desk.move(order._id, 'confirmed');
    expect((await alice.get(pathOf(order._id))).status).toBe(404);
    await desk.move(order._id, 'shipped');
    const today = new Date(Date.now() + 5.5 * 3_600_000).toISOString().slice(0, 10);
    const sums = { taxableValue: 3450, cgst: 0, sgst: 0, igst: 621 };
    expect(await invoiceOf(order._id)).toEqual({
      number: expect.stringMatching(/^RH\/\d\d-\d\d\/\d{6}$/),
      date: today,
      seller: { name: 'RUHANI', address: 'Lane 1, Kannauj 209725, India', state: 'Uttar Pradesh', gstin },
      buyer: { name: 'Meera Nair', address: '14 Marine Drive, Kochi 682031, India', state: 'Kerala' },
      placeOfSupply: 'Kerala',
      lines: [{ name: 'Oud Saffron Majlis', hsn: '3303', quantity: 1, unitPrice: 3450, rate: 18, ...sums }],
      giftWrap: 39,
      ...sums,
      total: 4110,
      totalInWords: 'Four Thousand One Hundred Ten Rupees Only',
      creditNotes: [],
    });
  });

  test('is awaited by a request right after the order shipped, and so is its credit note', async () => {
    const id = await shippedOrder();
    expect((await getFresh(alice, pathOf(id))).status).toBe(200);
    await desk.move(id, 'delivered');
    await alice.giveBack(id);
    expect((await getFresh(alice, pathOf(id))).body).toMatchObject({ creditNotes: [] });
    await desk.takeBack(id);
    expect((await getFresh(alice, pathOf(id))).body).toMatchObject({ creditNotes: [{ lines: [{}] }] });
  });

  test('is awaited for at most two seconds', async () => {
    const slow = await openShopForTest({ people: { admin }, projecting: true });
    await change([slow], ruhGulab, add());
    const { id } = await placedBy(slow, shopperId(randomUUID()));
    await toOrder(slow, id, moveTo('confirmed'), moveTo('shipped'));
    const answer = await fetch(slow.url + pathOf(id), { headers: { cookie: getCookieHeader(await signedInAs(slow, admin)) } });
    expect([answer.status, answer.headers.get('x-stale')]).toEqual([404, 'true']);
  });

  test('is shown to its shopper, staff and auditors; others get a 404', async () => {
    const id = await shippedOrder();
    const own = await invoiceOf(id);
    for (const who of [desk, await signedInAs(shop, auditor)]) expect((await who.get(pathOf(id))).body).toEqual(own);
    for (const who of [ordering(shop), await signedUp(shop, `${randomUUID()}@example.com`)])
      for (const path of [pathOf(id), `${pathOf(id)}.pdf`, `/api/order/${id}/credit-notes/1.pdf`])
        expect(await who.get(path)).toMatchObject({ status: 404, body: { message: 'Order not found' } });
  });

  test('has the same content as a PDF, with the same bytes each time', async () => {
    const id = await shippedOrder({ giftWrap: true, shipping: { ...home, name: 'प्रिया शर्मा', state: 'uttar pradesh' } });
    const invoice = await invoiceOf(id);
    const [one, other] = [await pdfOf(`${pathOf(id)}.pdf`), await pdfOf(`${pathOf(id)}.pdf`, desk)];
    expect(Buffer.from(one).equals(other)).toBe(true);
    const { pages, title, isTagged } = await readPdf(one);
    expect({ title, isTagged, pages: pages.length }).toEqual({
      title: `Tax invoice ${String(invoice['number'])}`,
      isTagged: true,
      pages: 1,
    });
    const said = [
      [
        'Tax invoice',
        'Original for recipient',
        String(invoice['number']),
        gstin,
        'Lane 1, Kannauj 209725, India',
        'प्रिया शर्मा',
        'Uttar Pradesh (state code 09)',
      ],
      ['Oud Saffron Majlis', '3303', '₹3,450.00', '18%', 'CGST 9% on ₹3,450.00', 'SGST 9% on ₹3,450.00', '₹310.50'],
      ['Gift wrap, untaxed', '₹39.00', '₹4,110.00', 'Four Thousand One Hundred Ten Rupees Only', 'reverse charge'],
    ].flat();
    for (const text of said) expect(pages[0]).toContain(text);
    for (const text of ['SAMPLE', 'odd paisa']) expect(pages[0]).not.toContain(text);
  });

  test('has a link on its PDF that proves it, the same for its credit note', async () => {
    const id = await shippedOrder();
    await desk.move(id, 'delivered');
    await alice.giveBack(id);
    await desk.takeBack(id);
    const { number } = await invoiceOf(id);
    await expect.poll(async () => (await invoiceOf(id))['creditNotes']).toHaveLength(1);
    const vkeys = await publicLogAt(`${shop.url}/log`).readVkeys();
    for (const [path, kind] of [
      ['invoice.pdf', 'invoice'],
      ['credit-notes/1.pdf', 'credit note'],
    ] as const) {
      const paper = async () => readPdf(await pdfOf(`/api/order/${id}/${path}`));
      await expect.poll(async () => (await paper()).links).toEqual([expect.stringMatching(/^http:\/\/localhost\/verify#[\w-]+$/)]);
      const { links, pages } = await paper();
      expect(pages[0]).toContain(`verify this ${kind}`);
      expect(pages[0]).not.toContain('Proof follows');
      const proof = inflateRawSync(Buffer.from(links[0]?.split('#')[1] ?? '', 'base64url')).toString();
      const verdict = verifyReceipt(proof, { logs: vkeys, witnesses: [], quorum: 0 }, nodePlatform);
      expect(verdict).toMatchObject({ proved: true, contents: { kind, ...(kind === 'invoice' && { number }) } });
    }
  });

  test('says on its PDF that the proof follows, as long as there is none', async () => {
    const { pages, links } = await readPdf(await renderInvoice(taxDocumentOf(orderAfter(created(), placed()))));
    expect(pages[0]).toContain('Proof follows');
    expect(links).toEqual([]);
  });

  test('says why CGST and SGST differ by a paisa', async () => {
    const lines = [{ ...soldLines[0], unitPrice: paise(1_03), quantity: 1 }];
    const order = orderAfter(created({ lines, shippingAddress: { ...home, state: 'Uttar Pradesh' } }), placed());
    const { pages } = await readPdf(await renderInvoice(taxDocumentOf(order)));
    expect(pages[0]).toContain('₹0.09');
    expect(pages[0]).toContain('₹0.10');
    expect(pages[0]).toContain('CGST and SGST differ where an odd paisa of tax cannot be halved.');
  });

  test.each([
    [6_12_90_00_000_00, '₹7,23,22,20,000.00'],
    [89_99_99_99_999_99, '₹1,06,19,99,99,999.99'],
  ])('breaks no amount in two, however large: %d paise', async (price, total) => {
    const order = orderAfter(created({ lines: [{ ...soldLines[0], unitPrice: paise(price), quantity: 1 }] }), placed());
    const { pages } = await readPdf(await renderInvoice(taxDocumentOf(order)));
    expect(pages[0]?.replaceAll(/\s+/g, ' ')).toContain(`Total ${total}`);
  });

  test.each([
    [0, 'Zero Rupees Only'],
    [0.5, 'Fifty Paise Only'],
    [1.01, 'One Rupee And One Paisa Only'],
  ])('writes %d in words', (amount, words) => expect(inWords(amount)).toBe(words));

  test("stays as it was issued when the seller's details change", async () => {
    const id = await shippedOrder();
    const own = await invoiceOf(id);
    const renamed = { name: 'Attar House', address: 'Kochi', state: 'Kerala' } as const;
    const later = await openShopForTest({ databaseUrl: shop.databaseUrl, people: { admin }, seller: renamed });
    const at = await signedInAs(later, admin);
    expect((await at.get(pathOf(id))).body).toEqual(own);
    expect(await pdfOf(`${pathOf(id)}.pdf`, at, later)).toEqual(await pdfOf(`${pathOf(id)}.pdf`));
  });

  test.each([
    ['Kerala', ['IGST 18% on', 'IGST 5% on']],
    ['Uttar Pradesh', ['CGST 9% on', 'SGST 9% on', 'CGST 2.5% on', 'SGST 2.5% on']],
  ])('has ten lines of long names on one page, also as a sample, in %s', async (state, taxes) => {
    const name = 'Shamama Darbar, Extrait de Parfum';
    const lines = Array.from({ length: 10 }, (_, place) => ({
      ...soldLines[0],
      name: `${name} ${place}`,
      quantity: 99,
      rate: taxRate(place % 2 === 0 ? 18 : 5),
    }));
    const { pages } = await readPdf(
      await renderInvoice({
        ...taxDocumentOf(orderAfter(created({ lines, giftWrap: true, shippingAddress: { ...home, state } }), placed())),
        proofLink: `https://www.ruhani.example/verify#${'a'.repeat(1_966)}`,
      }),
    );
    expect(pages).toHaveLength(1);
    const said = pages[0]?.replaceAll(/\s+/g, ' ');
    for (const place of lines.keys()) expect(said).toContain(`${name} ${place}`);
    for (const text of ['SAMPLE', 'Gift wrap, untaxed', ...taxes, 'Rupees']) expect(said).toContain(text);
  });

  test.each([
    [') Tj ET Q endstream (', ') Tj ET Q endstream ('],
    ['\\\\)(\\\\ <<>> %PDF', '\\\\)(\\\\ <<>> %PDF'],
    ['=SUM(A1) & <b>Meera</b>', '=SUM(A1) & <b>Meera</b>'],
    ['\u202eriaN areeM\u202c', 'riaN areeM'],
  ])('shows the name %j unchanged', async (given, said) => {
    const { pages } = await readPdf(
      await renderInvoice(taxDocumentOf(orderAfter(created({ shippingAddress: { ...home, name: given } }), placed()))),
    );
    expect(pages).toHaveLength(1);
    expect(pages[0]).toContain(said);
    expect(pages[0]).toContain('14 Marine Drive');
  });

  test('shows "erased" after an erasure, and keeps number, sums and state', async () => {
    const bob = await signedUp(shop, 'bob@example.com');
    const id = await shippedOrder({}, bob);
    const before = await invoiceOf(id, bob);
    await desk.move(id, 'delivered');
    await erase(id);
    const shown = async () => (await desk.get(pathOf(id))).body;
    await expect.poll(shown).toEqual({ ...before, buyer: { name: ERASED, address: ERASED, state: 'Kerala' } });
  });

  test('is taxed by the state of delivery, even if the buyer was erased before it was issued', async () => {
    const carol = await signedUp(shop, 'carol@example.com');
    const id = await confirmedOrder(carol);
    await shipErased(id);
    expect(await invoiceOf(id, desk)).toMatchObject({
      placeOfSupply: 'Kerala',
      buyer: { name: ERASED, address: ERASED, state: 'Kerala' },
      cgst: 0,
      igst: 621,
    });
  });

  test("takes the seller's state if nobody knows where it is supplied, and says so in all its forms", async () => {
    const id = await shippedOrder({ shipping: { ...home, state: 'Utopia' } });
    const assumed = { placeOfSupply: 'Uttar Pradesh', placeOfSupplyAssumed: true };
    const { number } = await invoiceOf(id);
    expect(await invoiceOf(id)).toMatchObject({ ...assumed, buyer: { state: 'Utopia' }, cgst: 310.5, sgst: 310.5, igst: 0 });
    expect((await desk.get(`/api/admin/invoices?q=${String(number)}`)).body).toMatchObject({ invoices: [assumed] });
    const [columns, ...lines] = String((await desk.get('/api/admin/invoices.csv')).body).split('\r\n');
    expect(columns).toMatch(/,Place Assumed$/);
    expect(lines.filter((line) => line.endsWith(',yes'))).toEqual([expect.stringContaining(String(number))]);
    const { pages } = await readPdf(await pdfOf(`${pathOf(id)}.pdf`));
    for (const text of ['Utopia', 'Place of supply: Uttar Pradesh (state code 09)', ASSUMED_PLACE]) expect(pages[0]).toContain(text);
    expect((await alice.order(id)).order.placeOfSupply).toBeNull();
    const other = await shippedOrder();
    await invoiceOf(other);
    const { pages: others } = await readPdf(await pdfOf(`${pathOf(other)}.pdf`));
    expect(others[0]).not.toContain(ASSUMED_PLACE);
  });

  test('takes the state that the desk names at shipping', async () => {
    const id = await confirmedOrder(alice, { shipping: { ...home, state: 'Utopia' } });
    const shipIn = (placeOfSupply: unknown) =>
      desk.send('PUT', `/api/admin/order/${id}/status`, { body: { status: 'shipped', placeOfSupply } });
    for (const wrong of ['Atlantis', 'Other Country', '', 32])
      expect(await shipIn(wrong)).toMatchObject({
        status: 400,
        body: { errors: { placeOfSupply: 'Please name a state or union territory of India, such as Kerala' } },
      });
    expect(await shipIn('tamil nadu')).toMatchObject({ status: 200, body: { placeOfSupply: 'Tamil Nadu' } });
    const invoice = await invoiceOf(id);
    expect(invoice).toMatchObject({ placeOfSupply: 'Tamil Nadu', cgst: 0, igst: 621 });
    expect(invoice).not.toHaveProperty('placeOfSupplyAssumed');
    expect((await desk.get(`/api/admin/orders?q=${(await alice.order(id)).order.orderNumber}`)).body).toMatchObject({
      orders: [{ placeOfSupply: 'Tamil Nadu' }],
    });
  });

  test("is of another country abroad, even where a state has the name of the seller's, and after an erasure", async () => {
    const dora = await signedUp(shop, 'dora@example.com');
    const id = await confirmedOrder(dora, { shipping: { ...home, state: 'Uttar Pradesh', country: 'Nepal' } });
    expect((await dora.order(id)).order.placeOfSupply).toBe('Other Country');
    await shipErased(id);
    expect(await invoiceOf(id, desk)).toMatchObject({ placeOfSupply: 'Other Country', cgst: 0, sgst: 0, igst: 621 });
    expect((await readPdf(await pdfOf(`${pathOf(id)}.pdf`, desk))).pages[0]).toContain('Other Country (state code 96)');
  });

  test('gets a credit note when the order is returned', async () => {
    const id = await shippedOrder({ giftWrap: true });
    const { number, lines } = await invoiceOf(id);
    await desk.move(id, 'delivered');
    expect((await alice.giveBack(id)).status).toBe(200);
    expect((await desk.takeBack(id)).status).toBe(200);
    await expect.poll(async () => (await invoiceOf(id))['creditNotes']).toHaveLength(1);
    expect(await invoiceOf(id)).toMatchObject({
      number,
      total: 4110,
      creditNotes: [{ number: expect.stringMatching(/^RC\//), lines, taxableValue: 3450, igst: 621, giftWrap: 39, total: 4110 }],
    });
    const { pages } = await readPdf(await pdfOf(`/api/order/${id}/credit-notes/1.pdf`));
    expect(pages[0]).not.toContain('Original');
    for (const text of ['Credit note', `For invoice ${String(number)}`, 'Gift wrap, untaxed', 'Total credited', '₹4,110.00'])
      expect(pages[0]).toContain(text);
    for (const place of ['2', '0', 'x', '1.5']) expect((await alice.get(`/api/order/${id}/credit-notes/${place}.pdf`)).status).toBe(404);
  });
});

type Message = { readonly subject: string; readonly text: string; readonly html: string };

describe('the shipping mail', () => {
  const shippedMails = async (id: string): Promise<readonly Message[]> => {
    const { orderNumber } = (await desk.order(id)).order;
    const mails = (await ordering(shop).get('/dev/mailbox/messages')).body as readonly Message[];
    return mails.filter(({ subject }) => subject.endsWith(`${orderNumber} is on its way`));
  };
  /** Issues tax documents in another process, which shares no memory with the shop. */
  const elsewhere = (): Reaction => {
    const execute = createExecute(shop.store);
    const issue = issueTaxDocuments({
      ...shop,
      execute,
      taxDocuments: taxDocumentQueries(shop.read),
      seller: { name: 'R', address: 'K', state: 'Kerala' },
      readTime: () => readTime(shop),
    });
    return whenOrderMovesIssueTaxDocuments({ ...shop, issue });
  };
  const invoicesOf = async (id: string) =>
    (await shop.store.read<InvoiceEvent>(invoicesNow())).events.filter(({ data }) => data.order === id);
  const shippedEvent = async (id: string) => {
    const { events } = await shop.store.read(`order-${id}`);
    return events.find(({ type }) => type === 'OrderShipped') ?? expect.fail();
  };

  test('has the invoice attached, with its number and a link, and is sent once', async () => {
    const id = await shippedOrder();
    const { number } = await invoiceOf(id);
    await expect.poll(() => shippedMails(id)).toHaveLength(1);
    const [mail] = await shippedMails(id);
    for (const part of [mail?.text, mail?.html]) for (const text of [number, '?show=invoice']) expect(part).toContain(text);
    const caught = shop.db.selectFrom('caught_mail').select('id').where('subject', '=', String(mail?.subject));
    const attachment = `${shop.url}/dev/mailbox/${(await caught.executeTakeFirstOrThrow()).id}/0`;
    const attached = Buffer.from(await (await fetch(attachment)).arrayBuffer());
    expect(attached.equals(await pdfOf(`${pathOf(id)}.pdf`))).toBe(true);
  });

  test('follows its invoice, and each order has one of both, whatever is killed in between', async () => {
    const { id } = await placedBy(shop, shopperId(randomUUID()));
    await toOrder(shop, id, moveTo('confirmed'), moveTo('shipped', { now: shop.now() }));
    const event = await shippedEvent(id);
    await Promise.all(Array.from({ length: 4 }, () => elsewhere().react(event)));
    const [issued, ...more] = await invoicesOf(id);
    expect(more).toEqual([]);
    const tell = whenOrderMovesTellShopper({ ...shop, publicUrl: 'https://ruhani.example' });
    expect(await tell.react(event)).toEqual([]);
    const invoice = {
      order: id,
      number: taxDocumentNumber(invoicesNow(), issued?.revision ?? -1),
      position: String(issued?.position),
    };
    for (let time = 1; time <= 2; time++)
      expect(await tell.react(issued ?? expect.fail())).toMatchObject([
        { cause: `order-shipped:${id}`, mail: { news: 'order-shipped', order: { status: 'shipped' }, invoice } },
      ]);
    await expect.poll(() => shippedMails(id)).toHaveLength(1);
  });

  test('and its invoice are sent once when ten people press the button at once', async () => {
    const id = await confirmedOrder(alice);
    const pressed = await Promise.all(Array.from({ length: 10 }, () => desk.move(id, 'shipped')));
    expect(pressed.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    await expect.poll(() => shippedMails(id)).toHaveLength(1);
    // A later order's mail and invoice are handled after everything that this order could have caused.
    const next = await shippedOrder();
    await expect.poll(() => shippedMails(next)).toHaveLength(1);
    expect(await shippedMails(id)).toHaveLength(1);
    expect(await invoicesOf(id)).toHaveLength(1);
  });

  test('contains no name when it is sent after an erasure, and never the invoice of another order', async () => {
    const shopper = shopperId(randomUUID());
    const { id } = await placedBy(shop, shopper);
    await toOrder(shop, id, moveTo('confirmed'), moveTo('shipped', { now: shop.now() }));
    await invoiceOf(id, desk);
    const [issued] = await invoicesOf(id);
    const place = { order: id, number: 'RH/26-27/000001' as InvoiceNumber, position: String(issued?.position) };
    const attach = invoiceAttachment(shop.store, shop.people.proofs);
    const textOf = async () => {
      const attachment = await attach(place, false);
      if (typeof attachment !== 'object') return expect.fail();
      return (await readPdf(new Uint8Array(Buffer.from(attachment.content)))).pages.join();
    };
    expect(await textOf()).toContain(home.name);
    expect(await attach({ ...place, order: orderId(randomUUID()) }, false)).toBeUndefined();
    const { position } = await shippedEvent(id);
    for (const other of [String(position), '999999999']) expect(await attach({ ...place, position: other }, false)).toBeUndefined();
    await shop.keys.erase(shopper);
    await expect.poll(() => textOf()).not.toContain(home.name);
    expect(await textOf()).toContain(ERASED);
  });
});

describe('invoice numbers', () => {
  test('have neither gaps nor duplicates when two processes issue them at once', async () => {
    const other = await openShopForTest({ databaseUrl: shop.databaseUrl, people: { admin, auditor }, reacting: true });
    const ship = async (_: unknown, index: number) => {
      const { id } = await placedBy(index % 2 === 0 ? shop : other, randomUUID());
      return toOrder(shop, id, moveTo('confirmed'), moveTo('shipped', { now: shop.now() }));
    };
    const shipped = await Promise.all(Array.from({ length: 16 }, ship));
    const { issued } = taxDocumentQueries(shop.read);
    const stream = invoicesNow();
    for (const { id } of shipped) await expect.poll(async () => (await issued(stream, id)).taxDocuments).toHaveLength(1);
    const { events } = await shop.store.read<InvoiceEvent>(stream);
    expect(new Set(events.map(({ data }) => data.order)).size).toBe(events.length);
    expect(events.map(({ revision }) => revision)).toEqual(events.map((_, index) => index));
  });
});

const NEGATIVE = Object.fromEntries(['taxableValue', 'igst'].map((name) => [name, expect.toSatisfy((amount: number) => amount < 0)]));

type Listed = {
  readonly invoices: readonly { number: string; orderId: string; orderNumber: string; date: string }[];
  readonly nextCursor: string | null;
};

describe('the list of invoices', () => {
  test('is sorted newest first, has pages, and filters by number, order number and days', async () => {
    const id = await shippedOrder();
    const { number, date } = await invoiceOf(id);
    const list = async (query: string): Promise<Listed> => (await desk.get(`/api/admin/invoices${query}`)).body as Listed;
    const first = await list('?limit=3');
    expect(first.invoices).toHaveLength(3);
    expect(first.invoices[0]).toMatchObject({ number, orderId: id, orderNumber: expect.stringMatching(/^RH-/) });
    const second = await list(`?limit=3&cursor=${String(first.nextCursor)}`);
    const numbers = [...first.invoices, ...second.invoices].map((each) => each.number);
    expect(new Set(numbers).size).toBe(6);
    const ofInvoices = numbers.filter((each) => each.startsWith('RH/'));
    expect(ofInvoices).toEqual(ofInvoices.toSorted().toReversed());
    const { order } = await alice.order(id);
    for (const q of [String(number), String(number).slice(-6), String(order.orderNumber)])
      expect((await list(`?q=${encodeURIComponent(q)}`)).invoices.map((each) => each.number)).toContain(number);
    expect((await list('?q=%25')).invoices).toEqual([]);
    expect((await list(`?from=${String(date)}&to=${String(date)}`)).invoices.length).toBeGreaterThan(0);
    expect((await list('?to=2020-01-01')).invoices).toEqual([]);
    for (const query of ['?limit=0', '?cursor=x', '?q=%00']) expect((await desk.get(`/api/admin/invoices${query}`)).status).toBe(400);
  });

  test.each([
    ['from=yesterday', { from: 'A day such as 2026-11-14' }],
    ['from=0000-01-01', { from: 'A day such as 2026-11-14' }],
    ['to=2026-02-30', { to: 'A day such as 2026-11-14' }],
    ['from=2026-04-02&to=2026-04-01', { to: 'Not before the first day' }],
  ])('its file and its sums refuse ?%s', async (query, errors) => {
    for (const path of ['', '.csv', '/summary'])
      expect(await desk.get(`/api/admin/invoices${path}?${query}`)).toMatchObject({ status: 400, body: { errors } });
  });

  test('has each credit note as a row of its own day, and what was booked in an earlier month stays as it was', async () => {
    const by = shopperId(randomUUID());
    const { id } = await placedBy(shop, by, { now: instant('2026-03-29T10:00:00.000Z') });
    await toOrder(shop, id, moveTo('confirmed'), moveTo('shipped', { now: instant('2026-03-30T10:00:00.000Z') }));
    const { number, lines } = (await invoiceOf(id, desk)) as { number: string; lines: readonly object[] };
    const inMonth = async (days: string) => {
      const ask = async (path: string) => (await desk.get(`/api/admin/invoices${path}?${days}`)).body;
      return { list: (await ask('')) as Listed, file: String(await ask('.csv')), sums: (await ask('/summary')) as object };
    };
    const [march, april] = ['from=2026-03-01&to=2026-03-31', 'from=2026-04-01&to=2026-04-30'];
    const before = await inMonth(march);
    expect(before.list.invoices.map((each) => each.number)).toEqual([number]);
    const back = { ...receiveReturn(), now: instant('2026-04-02T10:00:00.000Z') };
    await toOrder(shop, id, moveTo('delivered'), giveBack({ by }), decideReturn(), back);
    await expect.poll(async () => (await invoiceOf(id, desk))['creditNotes']).toHaveLength(1);
    const [note] = (await invoiceOf(id, desk))['creditNotes'] as [{ number: string }];
    expect(await inMonth(march)).toEqual(before);
    const { list, file, sums } = await inMonth(april);
    const amounts = { taxableValue: -9350, cgst: 0, sgst: 0, igst: -1683 };
    expect(list.invoices).toEqual([
      {
        ...before.list.invoices[0],
        number: note.number,
        invoiceNumber: number,
        nth: 1,
        date: '2026-04-02',
        ...amounts,
        total: -11_033,
        lines: lines.map((line) => ({ ...line, ...NEGATIVE })),
      },
    ]);
    expect(sums).toEqual({ rows: [{ state: 'Kerala', rate: 18, ...amounts }] });
    expect(file.split('\r\n').slice(1)).toEqual([expect.stringContaining(`,${number},2026-04-02,`), '']);
    expect(file).toContain(',Kerala,Kerala,-9350.00,0.00,0.00,-1683.00,0.00,-11033.00,\r\n');
    for (const q of [number, note.number, String(list.invoices[0]?.orderNumber)])
      expect((await inMonth(`${april}&q=${encodeURIComponent(q)}`)).list.invoices).toEqual(list.invoices);
  });

  test('repeats and skips no row while others are issued', async () => {
    const ids = [await shippedOrder(), await shippedOrder()];
    for (const id of ids) {
      await desk.move(id, 'delivered');
      await alice.giveBack(id);
      await desk.takeBack(id);
      await expect.poll(async () => (await invoiceOf(id))['creditNotes']).toHaveLength(1);
    }
    const all = ((await desk.get('/api/admin/invoices?limit=200')).body as Listed).invoices.map((each) => each.number);
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null && seen.length < all.length;) {
      const { invoices: page, nextCursor } = (await desk.get(`/api/admin/invoices?limit=3${cursor && `&cursor=${cursor}`}`)).body as Listed;
      seen.push(...page.map((each) => each.number));
      if (cursor === '') await invoiceOf(await shippedOrder());
      cursor = nextCursor;
    }
    expect(all.filter((each) => each.startsWith('RC/')).length).toBeGreaterThan(1);
    expect(seen).toEqual(all);
  });

  test('can be downloaded as a CSV file in which no cell is a formula', async () => {
    const id = await shippedOrder({ shipping: { ...home, name: '=HYPERLINK("http://evil")' } });
    const { number } = await invoiceOf(id);
    const text = (await desk.get('/api/admin/invoices.csv')).body as string;
    const line = text.split('\r\n').find((each) => each.includes(String(number)));
    expect(text).toMatch(/^\uFEFF?"?Number"?,/);
    expect(line).toContain('3450.00');
    expect(line).toContain(`"'=HYPERLINK`);
  });

  test('has sums by state and tax rate, less the credit notes', async () => {
    const before = (await desk.get('/api/admin/invoices/summary')).body as { rows: readonly { state: string; taxableValue: number }[] };
    const id = await shippedOrder({ shipping: { ...home, state: 'Sikkim' } });
    await invoiceOf(id);
    const summary = async () => (await desk.get('/api/admin/invoices/summary')).body as typeof before;
    expect(await summary()).toEqual({
      rows: expect.arrayContaining([...before.rows, { state: 'Sikkim', rate: 18, taxableValue: 3450, cgst: 0, sgst: 0, igst: 621 }]),
    });
    await desk.move(id, 'delivered');
    await alice.giveBack(id);
    await desk.takeBack(id);
    await expect.poll(async () => (await summary()).rows.filter(({ state }) => state === 'Sikkim')).toEqual([]);
  });
});

test('without a GSTIN every paper says that it is a sample', async () => {
  const sample = await openShopForTest({ people: { admin }, projecting: true, reacting: true });
  await change([sample], ruhGulab, add());
  const shopper = shopperId(randomUUID());
  const { id } = await placedBy(sample, shopper);
  await toOrder(sample, id, moveTo('confirmed'), moveTo('shipped'));
  const at = await signedInAs(sample, admin);
  await invoiceOf(id, at);
  const text = async (path: string) => (await readPdf(await pdfOf(`/api/order/${id}/${path}.pdf`, at, sample))).pages[0];
  expect(await text('invoice')).toContain('SAMPLE');
  await at.move(id, 'delivered');
  await toOrder(sample, id, giveBack({ by: shopper, now: sample.now() }));
  await at.takeBack(id);
  await expect.poll(async () => (await invoiceOf(id, at))['creditNotes']).toHaveLength(1);
  expect(await text('credit-notes/1')).toContain('SAMPLE');
});
