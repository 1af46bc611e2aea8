import { act, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { everythingIsInView, scrollNearTheEnd } from '../../testing/in-view.ts';
import { instant } from '#domain/shared/time.ts';
import { invoice, orderNumberOf, message, moneyRow, product, stats, stockOf, subscriber } from './testing/shop-data.ts';
import { at, FakeLive, openDialog, openSiteManager, type Server } from './testing/open-site-manager.tsx';
import { getTexts } from '../../testing/interactions.ts';
import type { LoadMoreState } from '../../lib/paged-list.ts';
import { ListFrame } from './ListFrame.tsx';

const card = (name: string) => screen.getByRole('button', { name });

test("the cards of the Site Manager show the shop's figures, with the orders panel open", async () => {
  openSiteManager();
  const cards = within(screen.getByRole('group', { name: 'Figures' }));
  expect(await cards.findByText('1,284')).toBeInstanceOf(HTMLElement);
  for (const text of ['46 last week', '30', '3,912', '↑ 12% from last month', '₹5,21,940.20 last month', '18'])
    expect(cards.getByText(text)).toBeInstanceOf(HTMLElement);
  expect(cards.getByText('61,48,310')).toBeInstanceOf(HTMLElement);
  expect(card('Total Orders').getAttribute('aria-pressed')).toBe('true');
  expect(await screen.findByRole('heading', { name: 'Orders' })).toBeInstanceOf(HTMLElement);
  await expect.poll(() => document.title).toBe('Site Manager · RUHANI');
  expect(screen.getByRole('link', { name: 'Audit' }).getAttribute('href')).toBe('/audit');
  const nav = within(screen.getByRole('navigation', { name: 'Panels' }));
  expect(nav.getAllByRole('link', { current: 'page' }).map(({ textContent }) => textContent.trim())).toEqual([
    expect.stringMatching(/^Orders/),
  ]);
});

test.each([
  ['Total Products', 'products', 'Products'],
  ['Subscribers', 'subscribers', 'Subscribers'],
  ['Total Sales', 'sales', 'Sales Summary'],
  ['Contact Us Messages', 'messages', 'Contact Messages'],
])('the cards of the Site Manager open the panel of %s, which is then in the URL', async (name, panel, title) => {
  const { router } = openSiteManager();
  await userEvent.click(await screen.findByRole('button', { name }));
  expect(await screen.findByRole('heading', { level: 2, name: title })).toBeInstanceOf(HTMLElement);
  expect(router.state.location.search).toBe(`?panel=${panel}`);
  expect(card(name).getAttribute('aria-pressed')).toBe('true');
});

test.each(['Money', 'Invoices', 'Stock'])('the panel of %s is a link', async (name) => {
  const { router } = openSiteManager();
  await userEvent.click(await screen.findByRole('link', { name }));
  expect(await screen.findByRole('heading', { level: 2, name })).toBeInstanceOf(HTMLElement);
  expect(router.state.location.search).toBe(`?panel=${name.toLowerCase()}`);
  expect(screen.getByRole('link', { name }).getAttribute('aria-current')).toBe('page');
});

test('on narrow screens the bar opens the panels as a dialog, which a choice closes', async () => {
  openSiteManager();
  const dialog = await openDialog('Site Manager Orders Choose a panel');
  await userEvent.click(dialog.getByRole('link', { name: 'Tax' }));
  expect(await screen.findByRole('button', { name: 'Site Manager Tax Choose a panel' })).toBeInstanceOf(HTMLElement);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('the cards of the Site Manager open the orders panel when the URL names no panel', async () => {
  openSiteManager('nonsense');
  expect(await screen.findByRole('heading', { name: 'Orders' })).toBeInstanceOf(HTMLElement);
});

test('the cards of the Site Manager show a message when the figures could not be loaded', async () => {
  openSiteManager('', { instead: at('/admin/stats', { status: 503, data: { message: 'Resting' } }) });
  expect((await screen.findByRole('alert')).textContent).toContain('The figures could not be loaded');
});

test('the Site Manager loads contact messages, subscribers and orders when it opens', async () => {
  const { asked } = openSiteManager('sales');
  await waitFor(() => expect(asked.map(({ url }) => url)).toEqual(expect.arrayContaining(['/contact', '/subscribe', '/admin/orders'])));
});

const ready = () => screen.findByText('1,284', { selector: '.display' });

test('the open Site Manager shows pushed figures and lists the new message, beside the one that is read', async () => {
  const { server } = openSiteManager('messages');
  await screen.findByRole('heading', { name: 'Meher Contractor' });
  server.messages = [message({ _id: '2', name: 'Arjun Rao' }), ...server.messages];
  act(() => FakeLive.latest?.push('figures', { ...stats, totalOrders: 1285, contactMessages: 19 }));
  expect(await screen.findByText('1,285', { selector: '.display' })).toBeInstanceOf(HTMLElement);
  expect(await screen.findByRole('link', { name: /Arjun Rao/ })).toBeInstanceOf(HTMLElement);
  expect(screen.getByRole('heading', { name: 'Meher Contractor' })).toBeInstanceOf(HTMLElement);
});

test('the open Site Manager closes the connection when the page is left', async () => {
  const { view } = openSiteManager();
  await ready();
  view.unmount();
  expect(FakeLive.latest?.readyState).toBe(2);
});

test('the CSV download is a plain link, so that the browser saves the file while the server streams it', async () => {
  openSiteManager('messages');
  const [link] = await screen.findAllByRole('link', { name: 'Download CSV' });
  expect(link?.getAttribute('href')).toBe('/api/admin/contact_messages.csv');
  expect(link?.getAttribute('download')).toBe('contact_messages.csv');
});

test('the CSV download is refused with a lasting alert when there are no messages', async () => {
  openSiteManager('', { stats: { ...stats, contactMessages: 0 }, messages: [] });
  await screen.findByText('0', { selector: '.display' });
  const [link] = screen.getAllByRole('link', { name: 'Download CSV' });
  await userEvent.click(link ?? expect.fail('no link'));
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toBe('No messages available to download');
  await userEvent.click(within(alert).getByRole('button', { name: 'Close' }));
  expect(screen.queryByRole('alert')).toBeNull();
  expect(screen.getByRole('log').textContent).toBe('No messages available to download');
});

test('the lists of subscribers and messages mark current subscribers as Active and former ones as Inactive', async () => {
  openSiteManager('subscribers');
  const rows = await within(await screen.findByRole('region', { name: 'Subscribers' })).findAllByRole('listitem');
  expect(getTexts(rows)).toEqual(expect.arrayContaining(['ananya@example.com21 Nov 2026Active', 'rhea@example.com21 Nov 2026Inactive']));
});

test('the lists of subscribers and messages show messages of visitors as plain text', async () => {
  const markup = '<img src=x onerror="window.hurt=1"><b>Hello</b> {{7*7}} ${7*7}';
  const email = 'a?b&c@example.com';
  openSiteManager('messages', { messages: [message({ name: '<script>window.hurt=1</script>', message: markup, email })] });
  const row = await screen.findByRole('article');
  expect(within(row).getByText(markup)).toBeInstanceOf(HTMLElement);
  expect(within(row).getByRole('heading', { name: '<script>window.hurt=1</script>' })).toBeInstanceOf(HTMLElement);
  expect(within(row).getByRole('link', { name: email }).getAttribute('href')).toBe('mailto:a%3Fb%26c@example.com');
  expect(within(row).queryByRole('img')).toBeNull();
  expect(within(row).getByText('21 Nov 2026, 12:00')).toBeInstanceOf(HTMLElement);
});

test.each([
  ['orders', '/admin/orders', 'The orders could not be loaded. Check your connection.'],
  ['subscribers', '/subscribe', 'Failed to fetch subscribers'],
  ['messages', '/contact', 'Failed to fetch contacts'],
  ['money', '/admin/payments', 'The payments could not be loaded. Check your connection.'],
  ['invoices', '/admin/invoices', 'The invoices could not be loaded. Check your connection.'],
])('each list shows that %s could not be loaded, and offers a retry', async (panel, url, sentence) => {
  const { server } = openSiteManager(panel, { instead: at(url, { status: 502, data: {} }) });
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain(sentence);
  server.instead = () => undefined;
  await userEvent.click(within(alert).getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
});

test.each([
  ['invoices', 'No invoices yet'],
  ['invoices&q=000007', 'No such invoices'],
  ['stock', 'No products'],
  ['stock&status=counted', 'No product is counted'],
  ['stock&status=low', 'Nothing is low'],
  ['orders&status=returned', 'No such orders'],
])('each list shows a message when it is empty: %s', async (panel, title) => {
  openSiteManager(panel, { products: [] });
  expect(await screen.findByRole('heading', { name: title })).toBeInstanceOf(HTMLElement);
});

const fifty = <Row,>(create: (nth: number) => Row) => Array.from({ length: 50 }, (_, index) => create(index));
test.each<[string, Partial<Server>, (nth: number) => string | RegExp]>([
  ['subscribers', { subscribers: fifty((nth) => subscriber(`s${nth}@example.com`)) }, (nth) => `s${nth}@example.com`],
  ['money', { payments: { due: fifty((nth) => moneyRow(orderNumberOf(nth))) } }, orderNumberOf],
  ['stock', { products: fifty((nth) => product({ name: `Attar ${nth}`, stock: stockOf(9) })) }, (nth) => `Attar ${nth}`],
  ['invoices', { invoices: fifty((nth) => invoice(nth)) }, (nth) => new RegExp(`RH-AAAAAA${nth}$`)],
])('each list of %s is loaded page by page', async (panel, rows, textOf) => {
  openSiteManager(panel, rows);
  expect(await screen.findByText(textOf(39))).toBeInstanceOf(HTMLElement);
  expect(screen.queryByText(textOf(40))).toBeNull();
  act(scrollNearTheEnd);
  expect(await screen.findByText(textOf(49))).toBeInstanceOf(HTMLElement);
  expect(screen.queryByText(/^Showing/)).toBeNull();
});

test('the health of the shop is good when nothing is parked and everything has caught up', async () => {
  openSiteManager();
  await userEvent.click(await screen.findByRole('link', { name: /Health All is well/ }));
  const panel = within(await screen.findByRole('region', { name: 'Health' }));
  expect(getTexts(panel.getAllByRole('listitem'))).toEqual([
    'Orders come inNothing is held back.',
    'Payments are takenThe payment gateway answers.',
    'Mails go outNone waits.',
    'What you see is of nowLists and figures are less than 10 seconds behind.',
    'Invoices are issuedNone is held back.',
  ]);
});

test('the health of the shop lists the problems that an admin should solve', async () => {
  openSiteManager('health', {
    health: {
      projections: [
        { name: 'stats', isBuilt: true, lagEvents: 1200, lagSeconds: 95.4, parkedEvents: 0, isAtWork: true },
        { name: 'orders-desk', isBuilt: true, lagEvents: 0, lagSeconds: 0, parkedEvents: 3, isAtWork: false },
        { name: 'my-orders', isBuilt: false, lagEvents: 9, lagSeconds: 1, parkedEvents: 0, isAtWork: true },
      ],
      outbox: { waiting: 2, parked: 1, waitingSince: instant('2026-11-01T06:30:00.000Z') },
      reactions: [{ name: 'confirm-order', parkedStreams: 1 }],
      isGatewayAvailable: false,
    },
  });
  expect(await screen.findByRole('link', { name: /Health 8 things need care/ })).toBeInstanceOf(HTMLElement);
  const [first] = within(screen.getByRole('region', { name: 'Health' })).getAllByRole('list');
  expect(getTexts(within(first ?? expect.fail('no list')).getAllByRole('listitem'))).toEqual([
    'Orders come in, and some are held back1 order cannot go on until a fault is mended.',
    'Payments in advance are not takenShoppers can still pay on delivery.',
    'Some mails do not go out2 mails on the way out. 1 mail given up. The order or message that a mail is about is marked.',
    'Some of what you see is oldNot up to date: figures, orders, orders of shoppers.',
    'Invoices are issuedNone is held back.',
  ]);
  expect(screen.getByText('“stats” is 1,200 events behind, for 95 s.')).toBeInstanceOf(HTMLElement);
  expect(screen.getByText(/“orders-desk” could not apply 3 events/)).toBeInstanceOf(HTMLElement);
  expect(screen.getByText(/“my-orders” is still being built/)).toBeInstanceOf(HTMLElement);
  expect(screen.getByText(/Nobody works on “orders-desk”/)).toBeInstanceOf(HTMLElement);
  expect(screen.getByText(/1 mail could not be delivered and/)).toBeInstanceOf(HTMLElement);
  expect(screen.getByText(/2 mails could not be delivered yet, the oldest of 1 Nov 2026, 12:00/)).toBeInstanceOf(HTMLElement);
  expect(screen.getByText(/The payment gateway does not answer/)).toBeInstanceOf(HTMLElement);
  expect(screen.getByText(/“confirm-order” was given up for 1 order/)).toBeInstanceOf(HTMLElement);
});

const frameOf = (rows: readonly string[], more: LoadMoreState, outdated = false) => (
  <ListFrame list={{ state: 'loaded', rows, total: 9, outdated, more }} loading="Loading words..." skeleton={null} empty={null}>
    {(words) => words.map((word) => <p key={word}>{word}</p>)}
  </ListFrame>
);

test('a list scrolled to its end during a refetch loads more rows right after the refetch', () => {
  everythingIsInView();
  const show = vi.fn<() => void>();
  const more = { loading: false, failed: false, show };
  const { rerender } = render(frameOf(['oud'], { ...more, canLoad: false }));
  expect(show).not.toHaveBeenCalled();
  rerender(frameOf(['oud'], { ...more, canLoad: true }));
  expect(show).toHaveBeenCalledOnce();
});

test('outdated rows are shown with a loading text', async () => {
  render(frameOf(['oud'], { loading: false, failed: false, canLoad: false, show: () => {} }, true));
  expect((await screen.findByText('Loading words...')).closest('[role=status]')).toBeInstanceOf(HTMLElement);
  expect(screen.getByText('oud').closest('[aria-busy=true]')).toBeInstanceOf(HTMLElement);
});
