import { afterEach, describe, expect, test, vi } from 'vitest';

import { EventStoreUnavailable } from '#domain/event-store.ts';
import { payment } from '#domain/payment/payment.ts';
import { dateInIndia, instant } from '#domain/shared/time.ts';
import { confirmed, home, shipped } from '#domain/testing/orders.ts';

import { browser, getFresh, type Answer, type Browser } from '../../accounts/testing/browser.ts';
import { admin as ADMIN, signedInAs } from '../../orders/testing/ordering.ts';
import { isLongRun } from '../../testing/long-run.ts';
import { openShopForFile } from '../../testing/test-shop.ts';
import { deliveredOrder, metadata, orderWith, paymentEvents, type DeskOrder } from './testing/desk-orders.ts';

const shop = await openShopForFile({ people: { admin: ADMIN }, projecting: true });
const admin: Browser = await signedInAs(shop, ADMIN);
afterEach(() => vi.restoreAllMocks());

const HEADER = 'order_number,amount,collected_on,reference';
const fileOf = (...lines: readonly string[]): string => [HEADER, ...lines, ''].join('\n');
const line = ({ number }: Pick<DeskOrder, 'number'>, amount = '11033.00', reference = 'RM-7'): string =>
  `${number},${amount},2026-11-17,${reference}`;

const sendOnce = (file: string | undefined, query = '', headers: Record<string, string> = {}): Promise<Answer> =>
  admin.send('POST', `/api/admin/remittances${query}`, { body: file, headers: { 'content-type': 'text/csv', ...headers } });
/** Sends the file again while the read model is behind, as happens on a busy machine. */
const send = async (...asked: Parameters<typeof sendOnce>): Promise<Answer> => {
  let answer = await sendOnce(...asked);
  while (answer.status === 503) answer = await sendOnce(...asked);
  return answer;
};

const NONE = { matched: 0, short: 0, over: 0, unknown: 0, duplicate: 0, notDelivered: 0 };
const row = (lineNumber: number, orderNumber: string, outcome: string, expected: number | null = 11_033, received = 11_033) => ({
  line: lineNumber,
  orderNumber,
  outcome,
  expected,
  received,
});
const eventsOf = async (...orders: readonly DeskOrder[]): Promise<number> =>
  (await Promise.all(orders.map(({ id }) => paymentEvents(shop, id)))).flat().length;

describe('a remittance', () => {
  test('books each line according to its order', async () => {
    const [matched, short, over] = [await deliveredOrder(shop), await deliveredOrder(shop), await deliveredOrder(shop)];
    const prepaid = await orderWith(shop, 'Prepaid');
    const onItsWay = await orderWith(shop, 'COD', [confirmed(), shipped()]);
    const file = fileOf(
      line(matched),
      line(short, '11000'),
      line(over, '11033.5'),
      line(prepaid),
      'RH-22222222,5,2026-11-17,RM-7',
      line(onItsWay),
      line(matched),
    );
    const answer = {
      ...NONE,
      matched: 1,
      short: 1,
      over: 1,
      unknown: 2,
      duplicate: 1,
      notDelivered: 1,
      rows: [
        row(2, matched.number, 'matched'),
        row(3, short.number, 'short', 11_033, 11_000),
        row(4, over.number, 'over', 11_033, 11_033.5),
        row(5, prepaid.number, 'unknown', null),
        row(6, 'RH-22222222', 'unknown', null, 5),
        row(7, onItsWay.number, 'notDelivered'),
        row(8, matched.number, 'duplicate'),
      ],
    };
    expect(await send(file, '?dryRun=true')).toMatchObject({ status: 200, body: answer });
    expect(await eventsOf(matched, short, over, prepaid, onItsWay)).toBe(0);

    const first = await send(file);
    expect(first.body).toStrictEqual(answer);
    expect((await paymentEvents(shop, matched.id)).map(({ type, data }) => ({ type, data }))).toEqual([
      { type: 'CashCollected', data: expect.objectContaining({ amount: 11_033_00, reference: 'RM-7', collectedOn: '2026-11-17' }) },
    ]);
    expect((await paymentEvents(shop, short.id)).map(({ type }) => type)).toEqual(['CashCollected', 'MismatchFound']);
    expect((await paymentEvents(shop, over.id)).map(({ type }) => type)).toEqual(['CashCollected', 'MismatchFound']);

    for (const query of ['', '?dryRun=true', '']) expect((await send(file, query)).body).toStrictEqual(answer);
    const named = (await send(file, '?names=true')).body as { readonly rows: readonly { readonly customer: string }[] };
    expect(named.rows.map(({ customer }) => customer)).toEqual([...Array(3).fill(home.name), home.name, '', home.name, home.name]);
    expect(await eventsOf(matched, short, over, prepaid, onItsWay)).toBe(5);
  });

  test('reports as duplicate what another file has booked with the same amount and reference, whatever its day', async () => {
    const [one, other] = [await deliveredOrder(shop), await deliveredOrder(shop)];
    const file = fileOf(line(one));
    expect((await send(file)).body).toMatchObject({ matched: 1 });
    const later = line(one).replace('2026-11-17', '2026-11-18');
    for (const query of ['?dryRun=true', '', '']) {
      expect((await send(fileOf(later), query)).body).toMatchObject({ ...NONE, duplicate: 1 });
      expect((await send(fileOf(line(one), later), query)).body).toMatchObject({ ...NONE, duplicate: 2 });
    }
    expect((await send(fileOf(line(one), line(other)))).body).toMatchObject({ ...NONE, duplicate: 1, matched: 1 });
    expect((await send(`\uFEFF${file.replaceAll('\n', '\r\n')}`)).body).toMatchObject({ ...NONE, matched: 1 });
    expect(await eventsOf(one, other)).toBe(2);
  });

  test('is read without blanks around its cells, and with a blank for a line break in a quoted one', async () => {
    const one = await deliveredOrder(shop);
    const cells = [`\u00a0${one.number}\u00a0 `, '" 11033.00\u00a0"', '2026-11-17\t', ' "\u00a0RM-7\r\nPune \n" '];
    const sent = await send(`order_number , amount,"collected_on\u00a0",reference\n${cells.join(',')}\n  \n`);
    expect(sent.body).toStrictEqual({ ...NONE, matched: 1, rows: [row(2, one.number, 'matched')] });
    expect(await paymentEvents(shop, one.id)).toMatchObject([{ data: { reference: 'RM-7 Pune' } }]);
  });

  test('reports as duplicate what another remittance or the desk has booked', async () => {
    const [one, other] = [await deliveredOrder(shop), await deliveredOrder(shop)];
    await send(fileOf(line(one)));
    await admin.send('PUT', `/api/admin/order/${other.id}/cash`, { body: { amount: 11_033 } });
    const file = fileOf(line(one, '11033', 'RM-8'), line(other, '11033', 'RM-8'));
    const answer = { ...NONE, duplicate: 2, rows: [row(2, one.number, 'duplicate'), row(3, other.number, 'duplicate')] };
    expect((await send(file)).body).toStrictEqual(answer);
    expect((await send(file, '?dryRun=true')).body).toStrictEqual(answer);
    expect((await send(fileOf(line(one, '11032'))).then(({ body }) => body)) as object).toMatchObject({ duplicate: 1 });
    expect(await eventsOf(one, other)).toBe(2);
  });

  test('is accepted with byte order mark, CRLF, quotes, blank lines and lower-case letters', async () => {
    const one = await deliveredOrder(shop);
    const file = `\uFEFF${HEADER.replace('amount', '"amount"')}\r\n\r\n"${one.number.toLowerCase()}","11033.00",2026-11-17,"RM ""7"", Pune"\r\n`;
    const sent = await send(file, '', { 'content-type': 'text/csv; charset=UTF-8' });
    expect(sent.body).toStrictEqual({ ...NONE, matched: 1, rows: [row(3, one.number.toLowerCase(), 'matched')] });
    expect(await paymentEvents(shop, one.id)).toMatchObject([{ data: { reference: 'RM "7", Pune' } }]);
  });

  test('that was interrupted is completed by sending it again, with the same answer as without the interruption', async () => {
    const orders = await Promise.all(Array.from({ length: 120 }, () => deliveredOrder(shop)));
    const file = fileOf(...orders.map((each) => line(each)), orders.map((each) => line(each))[3] ?? '');
    await send(file, '?dryRun=true');
    const append = shop.store.append.bind(shop.store);
    let appends = 0;
    vi.spyOn(shop.store, 'append').mockImplementation((...asked) =>
      ++appends > 60 ? Promise.reject(new EventStoreUnavailable('away')) : append(...asked),
    );
    expect((await sendOnce(file)).status).toBe(503);
    vi.restoreAllMocks();
    await expect.poll(() => eventsOf(...orders)).toBe(60);
    const again = await send(file);
    expect(again.body).toMatchObject({ ...NONE, matched: 120, duplicate: 1 });
    expect((await send(file)).body).toStrictEqual(again.body);
    expect(await eventsOf(...orders)).toBe(120);
  });

  test('sent twice at the same moment is booked once, with equal answers', async () => {
    const orders = await Promise.all(Array.from({ length: 20 }, () => deliveredOrder(shop)));
    const file = fileOf(...orders.map((each) => line(each)));
    const [one, other] = await Promise.all([send(file), send(file)]);
    expect(one.body).toMatchObject({ matched: 20 });
    expect(other.body).toStrictEqual(one.body);
    expect(await eventsOf(...orders)).toBe(20);
  });

  test('finds orders that the read model does not have yet', async () => {
    const one = await deliveredOrder(shop);
    expect((await send(fileOf(line(one)))).body).toMatchObject({ matched: 1 });
    const other = await deliveredOrder(shop);
    await send(fileOf(line(one)));
    await shop.execute(
      payment,
      `payment-${other.id}`,
      {
        type: 'CollectCash',
        bill: other.bill,
        amount: other.bill.total,
        reference: '',
        collectedOn: dateInIndia(shop.now()),
        now: shop.now(),
      },
      metadata(),
    );
    expect((await send(fileOf(line(other)), '?dryRun=true')).body).toMatchObject({ duplicate: 1 });
  });

  test('is refused while the read model stays behind', async () => {
    const one = await deliveredOrder(shop);
    vi.spyOn(shop.progress, 'waitFor').mockResolvedValue('stale');
    expect(await sendOnce(fileOf(line(one)))).toMatchObject({ status: 503, headers: { 'retry-after': '2' } });
    expect(await eventsOf(one)).toBe(0);
  });

  test('appears in the next list of payments that its sender requests', async () => {
    const one = await deliveredOrder(shop);
    await send(fileOf(line(one, '11000')));
    const { body } = await getFresh(admin, '/api/admin/payments?status=mismatch');
    const mismatch = 'The courier brought ₹11,000.00 instead of ₹11,033.00';
    expect((body as { payments: object[] }).payments).toContainEqual(expect.objectContaining({ orderId: one.id, mismatch }));
  });
});

describe('nothing is booked', () => {
  const today = dateInIndia(instant(new Date().toISOString()));
  /** Tomorrow may come while the tests run. */
  const inTwoDays = dateInIndia(instant(new Date().toISOString()), 2);
  const PLAIN = 'Plain digits and a point, above 0, with at most two decimals';
  const A_DAY = 'A day such as 2026-11-14';

  const wrong = [
    ['order_number', 'Required', ' ,1,2026-11-17,R'],
    ['amount', PLAIN, 'RH-22222222,0,2026-11-17,R'],
    ['amount', PLAIN, 'RH-22222222,0.00,2026-11-17,R'],
    ['amount', PLAIN, 'RH-22222222,1.234,2026-11-17,R'],
    ['amount', PLAIN, 'RH-22222222,"1,100",2026-11-17,R'],
    ['amount', PLAIN, 'RH-22222222,₹5,2026-11-17,R'],
    ['amount', PLAIN, 'RH-22222222,1e3,2026-11-17,R'],
    ['amount', PLAIN, 'RH-22222222,५,2026-11-17,R'],
    ['amount', PLAIN, `RH-22222222,${'9'.repeat(400)},2026-11-17,R`],
    ['amount', PLAIN, 'RH-22222222,,2026-11-17,R'],
    ['collected_on', A_DAY, 'RH-22222222,5,2026-02-29,R'],
    ['collected_on', A_DAY, 'RH-22222222,5,17/11/2026,R'],
    ['collected_on', A_DAY, 'RH-22222222,5,,R'],
    ['collected_on', 'This day has not come yet', `RH-22222222,5,${inTwoDays},R`],
    ['reference', 'Required', 'RH-22222222,5,2026-11-17,'],
    ['reference', 'Please use at most 100 characters', `RH-22222222,5,2026-11-17,${'R'.repeat(101)}`],
    ['reference', 'Please use letters, digits and signs only', 'RH-22222222,5,2026-11-17,R\0'],
    ['columns', 'Must be 4, not 3', 'RH-22222222,5,2026-11-17'],
    ['columns', 'Must be 4, not 5', 'RH-22222222,5,2026-11-17,R,'],
  ] as const;

  test('for wrong cells, each of which is named', async () => {
    const one = await deliveredOrder(shop);
    const refused = await send(fileOf(line(one), ...wrong.map(([, , cells]) => cells)));
    expect(refused).toMatchObject({ status: 400, body: { message: 'Nothing was booked. Line 3, order_number: Required' } });
    const { errors } = refused.body as { errors: object };
    expect(Object.entries(errors).map(([place, problem]) => [place.replace(/^line \d+, /, ''), problem])).toEqual(
      wrong.map(([column, problem]) => [column, problem]),
    );
    expect(await eventsOf(one)).toBe(0);
  });

  test.each([
    ['an empty file', '', 'The file is empty: its first line is order_number,amount,collected_on,reference'],
    ['a file of a mark alone', '\uFEFF', 'The file is empty: its first line is order_number,amount,collected_on,reference'],
    ['another header', 'number,amount\n', 'Line 1 must be order_number,amount,collected_on,reference'],
    ['quotes that stay open', `${HEADER}\nRH-22222222,"5,2026-11-17,R\n`, 'Line 2: the quotes do not match'],
    ['quotes within a cell', `${HEADER}\nRH-2"2,5,2026-11-17,R\n`, 'Line 2: the quotes do not match'],
    ['too many lines', fileOf(...Array.from({ length: 10_001 }, () => 'x,1,2026-11-17,R')), 'A file may have 10000 lines below its header'],
  ])('for %s', async (_, file, message) => expect(await send(file)).toMatchObject({ status: 400, body: { message } }));

  test('for a file from anybody but an admin, which is not even read', async () => {
    const headers = { 'content-type': 'text/csv' };
    const sent = { body: 'x'.repeat(2 * 1024 * 1024 + 1), headers };
    expect((await browser(shop.url).send('POST', '/api/admin/remittances', sent)).status).toBe(401);
  });

  test('for a body that is not a CSV file in UTF-8, that is too long, or that has an unknown query parameter', async () => {
    expect(await send(fileOf(), '', { 'content-type': 'application/json' })).toMatchObject({ status: 415 });
    expect(await send(fileOf(), '', { 'content-type': 'text/csv; charset=latin1' })).toMatchObject({ status: 415 });
    expect(await send(fileOf(), '', { 'content-encoding': 'gzip' })).toMatchObject({ status: 415 });
    expect(await send(undefined)).toMatchObject({ status: 400 });
    expect(await send('x'.repeat(2 * 1024 * 1024 + 1))).toMatchObject({ status: 413 });
    expect(await send(fileOf(), '?dryRun=perhaps')).toMatchObject({ status: 400, body: { errors: { dryRun: 'Either true or false' } } });
  });

  test('except that a remittance without lines, or with a line of today, is accepted', async () => {
    expect(await send(HEADER)).toMatchObject({ status: 200, body: { ...NONE, rows: [] } });
    expect(await send(fileOf(`RH-22222222,5,${today},R`))).toMatchObject({ status: 200, body: { unknown: 1 } });
  });
});

const LINES = isLongRun ? 10_000 : 400;

test(`${LINES} lines are booked in one call, and the same answer is given again`, async () => {
  const orders: DeskOrder[] = [];
  while (orders.length < LINES) orders.push(...(await Promise.all(Array.from({ length: 200 }, () => deliveredOrder(shop)))));
  const position = await shop.store.head(['order']);
  expect(await shop.progress.waitFor('orders-desk', position, 120_000)).toBe('fresh');
  const file = fileOf(...orders.map((each) => line(each)));
  const first = await send(file);
  expect(first.body).toMatchObject({ ...NONE, matched: LINES });
  expect((await send(file)).body).toStrictEqual(first.body);
});
