import { pino } from 'pino';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';

import { openAccountsShop } from '../accounts/testing/accounts-shop.ts';
import { openCatcher } from './catcher.ts';
import { sampleMails } from './gallery.ts';
import { openMail } from './open-mail.ts';
import type { Mail } from './mail.ts';
import { outbox as outboxWith } from './outbox.ts';
import { codeMail, passwordResetMail } from './templates/account-mails.ts';
import { smtpTransport } from './transport.ts';

const log = pino({ level: 'silent' });
const now = (): Date => new Date();

const shop = await openAccountsShop({ rateLimitFactor: 1_000 });
const catcher = await openCatcher({ db: shop.db, now, log });
const transport = smtpTransport({ url: catcher.url, sender: 'care@ruhani.example' });
afterAll(async () => {
  transport.close();
  await catcher.close();
  await shop.close();
});
beforeEach(async () => {
  await shop.db.deleteFrom('caught_mail').execute();
});

const mail = (subject: string, more: Partial<Mail> = {}): Mail => ({
  to: 'alice@example.com',
  subject,
  text: 'Text',
  html: '<p>Html</p>',
  ...more,
});
const messages = async (): Promise<Record<string, string>[]> =>
  (await shop.browser().get('/dev/mailbox/messages')).body as Record<string, string>[];
const page = async (path = ''): Promise<string> => String((await shop.browser().get(`/dev/mailbox${path}`)).body);

describe('the mailbox', () => {
  test('returns the messages as JSON, newest first', async () => {
    await transport.send(mail('First'), 'one');
    await transport.send(mail('Second', { to: 'renée@example.com', text: 'नमस्ते 🌹' }), 'two');
    expect(await messages()).toEqual([
      {
        to: 'renée@example.com',
        subject: 'Second',
        text: expect.stringContaining('नमस्ते 🌹'),
        html: expect.stringContaining('<p>Html</p>'),
        date: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        messageId: '<two@ruhani.example>',
      },
      expect.objectContaining({ subject: 'First', messageId: '<one@ruhani.example>' }),
    ]);
  });

  test('parses only the header until it is opened', async () => {
    await transport.send(mail('Grüße', { to: 'renée@example.com' }), 'unread');
    const row = () => shop.db.selectFrom('caught_mail').select(['recipient', 'subject', 'text', 'html']).executeTakeFirst();
    expect(await row()).toEqual({ recipient: 'renée@example.com', subject: 'Grüße', text: null, html: null });
    expect(await page()).toContain('Grüße');
    await messages();
    expect(await row()).toMatchObject({ text: expect.stringContaining('Text'), html: expect.stringContaining('<p>Html</p>') });
  });

  test('stores a mail once if it is sent twice', async () => {
    await transport.send(mail('Once'), 'same');
    await transport.send(mail('Once'), 'same');
    expect(await messages()).toHaveLength(1);
  });

  test('keeps the newest five hundred', async () => {
    const rows = Array.from({ length: 600 }, (_, index) => ({
      message_id: `<${index}>`,
      recipient: 'a@example.com',
      sender: '',
      subject: `Mail ${index}`,
      text: '',
      html: '',
      source: '',
      date: now(),
    }));
    await shop.db.insertInto('caught_mail').values(rows).execute();
    await transport.send(mail('The newest'), 'newest');
    const kept = await messages();
    expect(kept).toHaveLength(500);
    expect(kept[0]).toMatchObject({ subject: 'The newest' });
  });

  test('offers attachments for download', async () => {
    const attachment = { filename: 'RH-26-27-000001.pdf', contentType: 'application/pdf', content: '%PDF of RH/26-27/000001' };
    await transport.send(mail('Shipped', { attachment }), 'shipped');
    const [, path = '', name] = /<a href="\/dev\/mailbox(\/\d+\/\d)">([^<]*)/.exec(await page()) ?? [];
    expect(name).toBe('RH-26-27-000001.pdf');
    const { headers } = await shop.browser().get(`/dev/mailbox${path}`);
    expect(headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment; filename="RH-26-27-000001.pdf"',
    });
    expect(await (await fetch(`${shop.url}/dev/mailbox${path}`)).text()).toBe('%PDF of RH/26-27/000001');
    expect((await shop.browser().get(`/dev/mailbox${path.replace(/\d$/, '1')}`)).status).toBe(404);
    await transport.send(mail('Bare'), 'bare');
    expect(await page()).not.toContain('Attached');
  });

  test('refuses a mail that is too large, and keeps running', async () => {
    await expect(transport.send(mail('Large', { text: 'x'.repeat(1_100_000) }), 'large')).rejects.toMatchObject({ responseCode: 552 });
    await transport.send(mail('Small'), 'small');
    expect(await messages()).toMatchObject([{ subject: 'Small' }]);
  });

  test('shows markup in a message as text, and never runs it', async () => {
    await transport.send(
      mail('<script>alert(1)</script>', { text: '</pre><script>alert(2)</script>', html: '<script>alert(3)</script><b>Bold</b>' }),
      'evil',
    );
    for (const each of [await page(), await page('?view=text'), await page('?view=source')]) {
      expect(each).not.toContain('<script');
      expect(each).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
      expect(each).not.toMatch(/ style=| on\w+=/);
    }
    expect(await page()).toMatch(/<iframe\s[^>]*sandbox="allow-popups allow-popups-to-escape-sandbox"/);
    const [, src = ''] = /<iframe\s[^>]*src="\/dev\/mailbox([^"]*)"/.exec(await page()) ?? [];
    const { headers, body } = await shop.browser().get(`/dev/mailbox${src}`);
    expect(body).toContain('<b>Bold</b>');
    expect(headers['content-security-policy']).toMatch(/default-src 'none'.*frame-ancestors 'self'; sandbox allow-popups/);
  });

  test('shows the list and one message, and 404 for an unknown message', async () => {
    expect(await page()).toContain('No messages yet.');
    await transport.send(mail('First'), 'one');
    await transport.send(mail('Second'), 'two');
    expect(await page()).toMatch(/aria-current="true">\s*<span class="subject">Second/);
    expect(await page('?message=999999&view=whatever')).toContain('First');
    expect(await page("?message=1'%20or%201=1")).toContain('First');
    expect((await shop.browser().get('/dev/mailbox/999999.html')).status).toBe(404);
    expect((await shop.browser().get('/dev/mailbox/elsewhere')).status).toBe(404);
    expect((await shop.browser().get('/dev/mailbox/styles.css')).headers['content-type']).toContain('text/css');
  });

  test('can be cleared from its own page only', async () => {
    await transport.send(mail('First'), 'one');
    expect((await shop.browser().post('/dev/mailbox/clear', undefined, { headers: { origin: 'https://evil.test' } })).status).toBe(403);
    expect(await messages()).toHaveLength(1);
    const form = { 'content-type': 'application/x-www-form-urlencoded', origin: shop.url };
    expect(await shop.browser().post('/dev/mailbox/clear', undefined, { headers: form })).toMatchObject({
      status: 303,
      headers: { location: '/dev/mailbox' },
    });
    expect(await messages()).toEqual([]);
  });

  test('shows one mail of each kind, as text and as HTML, to the shopper and to an address that nobody has proven', async () => {
    for (const [path, isShopper] of [
      ['/gallery', true],
      ['/gallery/unproven', false],
    ] as const) {
      const gallery = await page(path);
      const mails = sampleMails('https://ruhani.example', { isShopper });
      for (const [kind, { subject }] of mails) {
        for (const part of [subject, `${path}/${kind}.html`]) expect(gallery).toContain(part);
        expect(await page(`${path}/${kind}.html`)).toContain('RUHANI');
      }
      expect(gallery.includes('ring twice')).toBe(isShopper);
    }
    for (const path of ['/gallery/none.html', '/gallery/', '/gallery/unproven/x'])
      expect((await shop.browser().get(`/dev/mailbox${path}`)).status).toBe(404);
  });

  test('does not exist if there is a mail server', async () => {
    const outbox = outboxWith({ key: Buffer.alloc(32), now });
    const service = await openMail({
      db: shop.db,
      outbox,
      orderPage: () => '',
      now,
      log,
      smtpUrl: catcher.url,
      publicUrl: 'https://www.shop.example',
    });
    expect(service.mailbox).toBeUndefined();
    await service.transport.send(mail('From outside'), 'three');
    expect(await messages()).toMatchObject([{ messageId: '<three@shop.example>' }]);
    await service.close();
  });
});

describe('the account mail', () => {
  test.each([
    ['a code', codeMail('alice@example.com', '407193'), '407193 is your Ruhani code', '407193'],
    [
      'a link',
      passwordResetMail('alice@example.com', 'https://shop.example/reset-password?token=abc'),
      'Set a new password for Ruhani',
      'https://shop.example/reset-password?token=abc',
    ],
  ])('contains %s as text and as HTML, without external resources', async (_, sent, subject, content) => {
    expect(sent).toMatchObject({ to: 'alice@example.com', subject });
    expect(sent.text).toContain(content);
    expect(sent.html).toContain(content);
    expect(sent.html).not.toMatch(/<(?:img|script|link|iframe)|url\(|undefined|\[object/i);
    await transport.send(sent, 'through');
    expect(await messages()).toMatchObject([{ subject, text: expect.stringContaining(content), html: expect.stringContaining(content) }]);
  });
});
