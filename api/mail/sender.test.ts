import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import PostalMime from 'postal-mime';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import type { InvoiceNumber } from '#domain/invoice/events.ts';
import { anOrder } from '#domain/testing/carts.ts';
import { created, orderAfter, placed } from '#domain/testing/orders.ts';

import { shopDatabase } from '../platform/postgres/shop-tables.ts';
import { freshDatabase } from '../testing/database-per-test.ts';
import { outbox as outboxWith } from './outbox.ts';
import { createMessageId, outboxFigures, runSender, sendDue, type Recipients } from './sender.ts';
import type { OrderMailInput } from './templates/order-mails.ts';
import { openMailServer, type MailServer } from './testing/mail-server.ts';
import type { Attach } from './mail.ts';
import { smtpTransport, type Transport } from './transport.ts';

const KEY = randomBytes(32);
const log = pino({ level: 'silent' });
const mail = (to = 'alice@example.com') => ({ to, subject: 'Your order is confirmed', text: 'Thank you', html: '<p>Thank you</p>' });

let clock: Date;
let server: MailServer;
let transport: Transport;
const now = (): Date => clock;
const passTime = (ms: number): void => {
  clock = new Date(clock.getTime() + ms);
};

const databaseUrl = await freshDatabase();
const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
const db = shopDatabase(pool);
const outbox = outboxWith({ key: KEY, now });
const orderPage = () => 'https://ruhani.example/order/token';
afterAll(() => pool.end());
beforeEach(async () => {
  clock = new Date();
  await pool.query('truncate shop.outbox');
  server = await openMailServer();
  transport = smtpTransport({ url: server.url, sender: 'care@ruhani.example' });
});
afterEach(async () => {
  transport.close();
  await server.close();
});

const send = (): Promise<number> => sendDue({ db, outbox, orderPage, transport, now, log });
const row = () => db.selectFrom('outbox').selectAll().executeTakeFirstOrThrow();
const messageIds = (): string[] => server.received.map(({ source }) => /^message-id: (.*)$/im.exec(source)?.[1] ?? '');

describe('mail in the outbox', () => {
  test('is sent once, and its content is deleted', async () => {
    await outbox.put(db, 'order-placed:1', mail());
    expect(await send()).toBe(1);
    expect(await send()).toBe(0);
    expect(server.received).toMatchObject([{ to: ['alice@example.com'] }]);
    expect(await row()).toMatchObject({ state: 'sent', content: null, attempts: 1, last_error: null });
    expect(messageIds()).toEqual([expect.stringMatching(/^<[\da-f]{32}@ruhani\.example>$/)]);
  });

  test('is due by the clock of the database, whatever the clock of a process says', async () => {
    passTime(86_400_000);
    const sendNow = () => sendDue({ db, outbox, orderPage, transport, log });
    await outbox.put(db, 'order-placed:1', mail());
    expect(await sendNow()).toBe(1);
    await outbox.put(db, 'order-placed:2', mail());
    await pool.query(`update shop.outbox set next_attempt_at = clock_timestamp() + interval '60 s' where state = 'waiting'`);
    expect(await sendNow()).toBe(0);
  });

  test('waits for its turn if nobody has proven the address and it had six in an hour; none is lost', async () => {
    const sentTo = new Map<string, number>();
    const recipients: Recipients = {
      findOwner: (address) => Promise.resolve(address === 'proven@example.com' ? 'asha' : undefined),
      countUnproven: (address) => {
        const sent = (sentTo.get(address) ?? 0) + 1;
        if (sent <= 6) sentTo.set(address, sent);
        return Promise.resolve(sent <= 6 ? 0 : 3_600_000);
      },
    };
    const addresses = ['victim@example.com', 'proven@example.com', 'other@example.com'];
    for (let order = 1; order <= 20; order++)
      for (const to of order > 1 ? addresses.slice(0, 2) : addresses) await outbox.put(db, `order-placed:${order}:${to}`, mail(to));
    const sendAll = async () => {
      while ((await sendDue({ db, outbox, orderPage, transport, now, log, recipients })) > 0);
    };
    const received = (address: string) => server.received.filter(({ to }) => to.includes(address)).length;
    await sendAll();
    expect(addresses.map(received)).toEqual([6, 20, 1]);
    for (const expected of [12, 18, 20]) {
      const before = received('victim@example.com');
      passTime(3_599_000);
      await sendAll();
      expect(received('victim@example.com')).toBe(before);
      sentTo.clear();
      passTime(2_000);
      await sendAll();
      expect(received('victim@example.com')).toBe(expected);
    }
    expect(await db.selectFrom('outbox').select('attempts').where('attempts', '>', 1).execute()).toEqual([]);
  });

  test('that lets an owner take the account back waits neither for a limit nor for other mails, and is sent once', async () => {
    const recipients: Recipients = { findOwner: () => Promise.resolve(undefined), countUnproven: () => Promise.resolve(3_600_000) };
    for (const cause of ['order-placed:1', 'order-placed:2', 'email-changed:1', 'order-placed:3'])
      await outbox.put(db, cause, { ...mail('former@example.com'), subject: cause });
    const sendAll = async (options: Partial<Parameters<typeof sendDue>[0]>) => {
      while ((await sendDue({ db, outbox, orderPage, transport, now, log, ...options })) > 0);
    };
    const subjects = () => server.received.map(({ source }) => /^subject: (.*)$/im.exec(source)?.[1]);
    await sendAll({ recipients });
    expect(subjects()).toEqual(['email-changed:1']);
    passTime(3_601_000);
    await sendAll({});
    expect(subjects()).toEqual(['email-changed:1', 'order-placed:1', 'order-placed:2', 'order-placed:3']);
  });

  test('that is urgent, put beside others, is sent with them once', async () => {
    for (const cause of ['email-changed:1', 'order-placed:1', 'order-placed:2']) await outbox.put(db, cause, mail('former@example.com'));
    while ((await sendDue({ db, outbox, orderPage, transport, now, log })) > 0);
    expect(server.received).toHaveLength(3);
  });

  test('is stored once for each cause, however often it is queued, even after it was sent', async () => {
    await Promise.all(Array.from({ length: 50 }, () => outbox.put(db, 'order-placed:1', mail())));
    await send();
    await outbox.put(db, 'order-placed:1', mail());
    await send();
    expect(server.received).toHaveLength(1);
  });

  test('has the Message-ID of its cause, so that an outbox restored from a backup sends it again under the same id', async () => {
    for (const cause of ['order-placed:1', 'order-placed:2', 'order-placed:1']) {
      await db.deleteFrom('outbox').execute();
      await outbox.put(db, cause, mail());
      await send();
    }
    const [first, other, again] = messageIds();
    expect(again).toBe(first);
    expect(other).not.toBe(first);
  });

  test('is not stored if the transaction of its cause is rolled back', async () => {
    const undone = db.transaction().execute(async (tx) => {
      await outbox.put(tx, 'order-placed:1', mail());
      throw new Error('the order was not placed');
    });
    await expect(undone).rejects.toThrow('the order was not placed');
    expect(await send()).toBe(0);
  });

  test('is encrypted while waiting, and can be decrypted only with its own cause', async () => {
    await outbox.put(db, 'order-placed:1', mail());
    const { content } = await row();
    expect(content?.toString('latin1')).not.toContain('alice');
    expect(outbox.open('order-placed:1', content ?? Buffer.alloc(0)).compose({ isShopper: true }, orderPage)).toEqual(mail());
    expect(() => outbox.open('order-placed:2', content ?? Buffer.alloc(0))).toThrow();
    expect(() => outboxWith({ key: randomBytes(32), now }).open('order-placed:1', content ?? Buffer.alloc(0))).toThrow();
  });

  test("is found by an index among any number of waiting mails, even if Postgres's statistics count none", async () => {
    const one = new pg.Pool({ connectionString: databaseUrl, max: 1 });
    const READ = `select sum(idx_tup_read)::int as read from pg_stat_user_indexes where relname = 'outbox'`;
    const entriesRead = async (): Promise<number> => {
      await one.query('select pg_stat_force_next_flush()');
      return (await one.query<{ read: number }>(READ)).rows[0]?.read ?? Number.NaN;
    };
    try {
      await one.query('vacuum analyze shop.outbox');
      const waiting = 500;
      const mailTo = (order: number) => ({ cause: `order-placed:${order}`, mail: mail(`shopper-${order}@example.com`) });
      await outbox.putAll(
        db,
        Array.from({ length: waiting }, (_, order) => mailTo(order)),
      );
      const before = await entriesRead();
      expect(await sendDue({ db: shopDatabase(one), outbox, orderPage, transport, now, log })).toBe(20);
      expect((await entriesRead()) - before).toBeLessThan(5 * waiting);
    } finally {
      await one.end();
    }
  });

  test('is sent once by any number of senders', async () => {
    for (let order = 1; order <= 60; order++) await outbox.put(db, `order-placed:${order}`, mail(`shopper-${order}@example.com`));
    const sender = async (): Promise<void> => {
      while ((await send()) > 0);
    };
    await Promise.all([sender(), sender(), sender(), sender()]);
    while ((await send()) > 0);
    expect(server.received).toHaveLength(60);
    expect(new Set(messageIds()).size).toBe(60);
  });
});

describe('the mail of an order', () => {
  const { placement, ...order } = orderAfter(created({ giftMessage: 'With love' }), placed());
  const news: OrderMailInput = {
    news: 'order-placed',
    order: { ...order, id: anOrder, placement: placement ?? expect.fail() },
    publicUrl: 'https://ruhani.example',
  };
  const bodies = async () =>
    Promise.all(server.received.map(({ source }) => PostalMime.parse(source).then(({ subject, text, html }) => ({ subject, text, html }))));

  test('waits as an order, and is composed when it is sent', async () => {
    await outbox.put(db, 'order-placed:1', news);
    expect((await row()).content?.length).toBeLessThan(2_000);
    const recipients: Recipients = { findOwner: () => Promise.resolve(news.order.shopper), countUnproven: () => expect.fail() };
    await sendDue({ db, outbox, orderPage, transport, now, log, recipients });
    expect(server.received).toMatchObject([{ to: ['meera@example.com'] }]);
    const [sent] = await bodies();
    expect(sent?.subject).toBe('Your Ruhani order RH-4WPDX9CT is placed');
    for (const part of [sent?.text, sent?.html]) expect(part).toContain('With love');
  });

  test.each([undefined, 'another-account'])('has no words of its shopper if the address is that of %s', async (owner) => {
    await outbox.put(db, 'order-placed:1', news);
    await sendDue({
      db,
      outbox,
      orderPage,
      transport,
      now,
      log,
      recipients: { findOwner: () => Promise.resolve(owner), countUnproven: () => Promise.resolve(0) },
    });
    for (const part of Object.values((await bodies())[0] ?? {})) expect(part).not.toContain('With love');
  });

  describe('and its attachment', () => {
    const invoice = { order: anOrder, number: 'RH/26-27/000001' as InvoiceNumber, position: '7' };
    const shipped: OrderMailInput = { ...news, news: 'order-shipped', invoice };
    const pdf = { filename: 'RH-26-27-000001.pdf', contentType: 'application/pdf', content: Buffer.from('%PDF') };
    const attach = vi.fn<Attach>();
    const sendWith = () => sendDue({ db, outbox, orderPage, transport, attach, now, log });
    const read = () => Promise.all(server.received.map(({ source }) => PostalMime.parse(source)));
    beforeEach(() => void attach.mockReset());

    test('are sent together, or without it if there is none; only its place waits', async () => {
      attach.mockResolvedValueOnce(pdf).mockResolvedValueOnce(undefined);
      for (const cause of ['order-shipped:1', 'order-shipped:2']) await outbox.put(db, cause, shipped);
      expect((await row()).content?.length).toBeLessThan(2_000);
      await sendWith();
      expect(attach.mock.calls).toEqual([
        [{ invoice }, true],
        [{ invoice }, true],
      ]);
      const mails = await read();
      expect(mails.map(({ attachments }) => attachments.map(({ filename, mimeType }) => [filename, mimeType]))).toEqual([
        [['RH-26-27-000001.pdf', 'application/pdf']],
        [],
      ]);
      for (const part of [mails[0]?.text, mails[0]?.html]) expect(part).toContain('RH/26-27/000001');
    });

    test('wait when it cannot be read at the moment', async () => {
      attach.mockRejectedValue(new Error('no log'));
      await outbox.put(db, 'order-shipped:1', shipped);
      await sendWith();
      expect(server.received).toEqual([]);
      expect(await row()).toMatchObject({ state: 'waiting', attempts: 1 });
    });

    test('wait for ten seconds at most, while the mails of others are sent', async () => {
      attach.mockImplementation(async (_, mayWait) => (mayWait ? 'not yet' : undefined));
      await outbox.put(db, 'order-placed:1', news);
      await outbox.put(db, 'code:1', mail('bob@example.com'));
      await db.updateTable('outbox').set({ created_at: now() }).execute();
      expect(await sendWith()).toBe(2);
      expect(server.received).toMatchObject([{ to: ['bob@example.com'] }]);
      for (let second = 0; second < 10; second += 1) {
        expect(await sendWith()).toBe(0);
        passTime(1_000);
        expect(await sendWith()).toBe(1);
      }
      expect(attach.mock.calls.map(([, mayWait]) => mayWait)).toEqual([...Array.from({ length: 10 }, () => true), false]);
      expect(server.received).toMatchObject([{ to: ['bob@example.com'] }, { to: [news.order.shippingAddress.email] }]);
    });

    test('name the page that verifies it, if it is a receipt', async () => {
      const receipt = {
        filename: 'RH-1.tlog-proof',
        contentType: 'application/octet-stream',
        content: 'c2sp.org/tlog-proof@v1\nindex 0\n',
      };
      attach.mockResolvedValueOnce(receipt).mockResolvedValueOnce(undefined);
      for (const cause of ['order-placed:1', 'order-placed:2']) await outbox.put(db, cause, news);
      await sendWith();
      const [first, second] = await read();
      expect(attach.mock.calls[0]).toEqual([{ receipt: { order: news.order.id, number: news.order.placement.number } }, true]);
      expect(Buffer.from(first?.attachments[0]?.content as ArrayBuffer).toString()).toBe(receipt.content);
      for (const part of [first?.text, first?.html]) expect(part).toContain(`${news.publicUrl}/verify`);
      for (const part of [second?.text, second?.html]) expect(part).not.toContain('receipt');
    });
  });

  test('is sent unchanged, with the same Message-ID, after a failed first attempt', async () => {
    const tries = vi.spyOn(transport, 'send');
    await outbox.put(db, 'order-placed:1', news);
    server.behave({ refuse: { code: 451, at: 'message' } });
    await send();
    expect(await row()).toMatchObject({ state: 'waiting', attempts: 1 });
    server.behave({});
    passTime(10_000);
    while ((await send()) > 0);
    expect(tries).toHaveBeenCalledTimes(2);
    expect(tries.mock.calls[1]).toEqual(tries.mock.calls[0]);
    expect(messageIds()).toEqual([`<${createMessageId('order-placed:1')}@ruhani.example>`]);
    expect(await row()).toMatchObject({ state: 'sent', attempts: 2, content: null });
  });
});

describe('mails to one person', () => {
  const subjects = (): string[] => server.received.map(({ source }) => /^subject: (.*)$/im.exec(source)?.[1] ?? '');
  const put = async (count: number): Promise<string[]> => {
    const codes = Array.from({ length: count }, (_, index) => `Code ${index}`);
    for (const subject of codes)
      await outbox.put(db, subject, { ...mail(subject === 'Code 0' ? 'Alice@Example.com' : undefined), subject });
    return codes;
  };

  test('are sent in queue order, even those queued at the same time, with any number of senders', async () => {
    const codes = await put(12);
    await outbox.put(db, 'order-placed:1', mail('bob@example.com'));
    const stop = new AbortController();
    const running = [1, 2, 3].map(() => runSender({ db, outbox, orderPage, transport, now, log }, stop.signal));
    while (server.received.length < 13) await server.nextMessage();
    stop.abort();
    await Promise.all(running);
    expect(subjects().filter((subject) => subject.startsWith('Code'))).toEqual(codes);
  });

  test('wait for a mail that is to be retried, while mails to others are sent', async () => {
    const codes = await put(2);
    server.behave({ refuse: { code: 451, at: 'message' } });
    await send();
    server.behave({});
    await outbox.put(db, 'order-placed:1', mail('bob@example.com'));
    expect(await send()).toBe(1);
    expect(server.received).toMatchObject([{ to: ['bob@example.com'] }]);
    passTime(10_000);
    while ((await send()) > 0);
    expect(subjects().slice(1)).toEqual(codes);
  });

  test('are sent together, however many wait', async () => {
    const codes = await put(25);
    expect(await send()).toBe(25);
    expect(subjects()).toEqual(codes);
  });

  test('do not wait for a mail that is parked', async () => {
    await put(2);
    server.behave({ refuse: { code: 550, at: 'message' } });
    await send();
    server.behave({});
    await send();
    expect(subjects()).toEqual(['Code 1']);
  });
});

describe('a mail server', () => {
  test('that is down is retried, with growing pauses, until the mail is parked', async () => {
    await outbox.put(db, 'order-placed:1', mail());
    server.behave({ refuse: { code: 451, at: 'message' } });
    expect(await send()).toBe(1);
    expect(await send()).toBe(0);
    expect(await outboxFigures(db)).toMatchObject({ waiting: 1, parked: 0, waitingSince: expect.any(Date) });
    const waits: number[] = [];
    for (let attempt = 1; (await row()).state === 'waiting'; attempt++) {
      expect(await row()).toMatchObject({ attempts: attempt, last_error: 'EMESSAGE 451' });
      waits.push((await row()).next_attempt_at.getTime() - clock.getTime());
      clock = (await row()).next_attempt_at;
      await send();
    }
    expect(waits).toHaveLength(13);
    expect(waits[0]).toBeLessThan(7_000);
    expect(Math.max(...waits)).toBeGreaterThan(2_000_000);
    expect(await row()).toMatchObject({ state: 'parked', attempts: 14, content: expect.any(Buffer) });
    expect(await outboxFigures(db)).toEqual({ waiting: 0, parked: 1, waitingSince: undefined });
  });

  test('that refuses a mailbox permanently is not retried', async () => {
    await outbox.put(db, 'order-placed:1', mail());
    server.behave({ refuse: { code: 550, at: 'recipient' } });
    await send();
    expect(await row()).toMatchObject({ state: 'parked', attempts: 1, last_error: 'EENVELOPE 550' });
  });
});

test('a running sender sends new mails, and stops when told to', async () => {
  const stop = new AbortController();
  const running = runSender({ db, outbox, orderPage, transport, now, log }, stop.signal);
  const arrived = server.nextMessage();
  await outbox.put(db, 'order-placed:1', mail());
  outbox.wake();
  await arrived;
  stop.abort();
  await running;
  expect(await row()).toMatchObject({ state: 'sent' });
});

test('after a sender is killed before it recorded a sent mail, the next one sends it again with the same Message-ID', async () => {
  await outbox.put(db, 'order-placed:1', mail());
  server.behave({ hang: true });
  const arrived = server.nextMessage();
  const script = path.join(import.meta.dirname, 'testing/sending-process.ts');
  const killed = spawn(process.execPath, ['--import', 'tsx', script, databaseUrl, server.url, KEY.toString('hex')], { stdio: 'inherit' });
  const gone = new Promise((resolve) => killed.once('exit', resolve));
  await arrived;
  killed.kill('SIGKILL');
  await gone;

  server.behave({});
  // The killed sender's lock ends with its connection, which the database notices a moment later.
  while ((await send()) === 0);
  expect(await row()).toMatchObject({ state: 'sent' });
  expect(server.received).toHaveLength(2);
  expect(new Set(messageIds()).size).toBe(1);
});

describe('a header', () => {
  test.each(['Subject\r\nBcc: evil@example.com', 'Subject\nBcc: evil@example.com', 'Subject\rX: y', 'Subject%0d%0aBcc: evil@example.com'])(
    'cannot be injected with the subject %j',
    async (subject) => {
      await outbox.put(db, 'order-placed:1', { ...mail(), subject });
      await send();
      const [{ to, source } = { to: [], source: '' }] = server.received;
      expect(to).toEqual(['alice@example.com']);
      const head = source.slice(0, source.indexOf('\r\n\r\n'));
      expect(head.split('\r\n').filter((line) => /^(?:bcc|cc|x)\s*:/i.test(line))).toEqual([]);
      expect(
        head
          .match(/^[\w-]+(?=:)/gm)
          ?.map((name) => name.toLowerCase())
          .sort(),
      ).toEqual(['content-type', 'date', 'from', 'message-id', 'mime-version', 'subject', 'to'].sort());
    },
  );

  test.each([
    'alice@example.com, bob@example.com',
    'alice@example.com\r\nBcc: bob@example.com',
    'alice@example.com> RCPT TO:<bob@example.com',
  ])('cannot be injected with the address %j', async (to) => {
    await outbox.put(db, 'order-placed:1', mail(to));
    await send();
    expect(server.received.flatMap((received) => received.to).filter((address) => address === 'bob@example.com')).toEqual([]);
  });

  test('accepts letters of all alphabets', async () => {
    await outbox.put(db, 'order-placed:1', { ...mail('renée@example.com'), subject: 'धन्यवाद 🌹' });
    await send();
    expect(server.received).toMatchObject([{ to: ['renée@example.com'] }]);
  });
});
