import { act, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { NO_ADDRESS } from '#domain/order/checkout.ts';
import { productId } from '#domain/shared/ids.ts';
import { personalText } from '#domain/shared/text.ts';
import { instant } from '#domain/shared/time.ts';
import * as files from '../../../lib/save-file.ts';
import { mediaThatHold } from '../../../testing/in-view.ts';
import { getTexts } from '../../../testing/interactions.ts';
import { createLateAnswer } from '../../../testing/shop.tsx';
import { FakeLive, openDialog, openSiteManager, toCommands } from '../testing/open-site-manager.tsx';
import { noon, order } from '../testing/shop-data.ts';
import type { Customer, CustomerOrder } from './customers-api.ts';

const orderOf = (number: string, changes: Partial<CustomerOrder> = {}): CustomerOrder => {
  const { _id, orderNumber } = order({ number });
  return {
    _id,
    orderNumber: orderNumber ?? expect.fail('no number'),
    placedAt: noon,
    status: 'delivered',
    paymentMethod: 'COD',
    paymentStatus: 'collected',
    total: 10_541,
    ...changes,
  };
};

/** Returns an account with one delivered order. */
const customer = (name: string, changes: Partial<Customer> = {}): Customer => ({
  _id: `id-${name}`,
  name,
  email: `${name.toLowerCase()}@example.com`,
  phone: '+91 98200 55501',
  guest: false,
  since: instant('2026-03-08T10:00:00.000Z'),
  sums: { spent: 10_541, orders: 1, average: 10_541, cameBack: 0 },
  orders: [orderOf('RH-AAAAAAA2')],
  returns: [],
  addresses: [],
  requests: { messages: [], notices: [], letters: [] },
  ...changes,
});
const ananya = customer('Ananya');
const farah = customer('Farah', { guest: true });
const open = (customers: Customer[], at = 'customers') => openSiteManager(at, { customers });
const details = async (name: string) =>
  within((await screen.findByRole('heading', { level: 3, name })).closest('article') ?? expect.fail('no details'));
const row = (name: RegExp) => screen.findByRole('link', { name });
const paramsOf = (asked: ReturnType<typeof open>['asked']) =>
  asked.filter(({ url }) => url === '/admin/customers').map(({ params: { limit: _limit, ...params } }) => params);
const address = () => window.location.search;

test('customers are listed with their orders, and the first one is beside the list', async () => {
  const newcomer = customer('Kabir', { sums: { spent: 0, orders: 0, average: 0, cameBack: 0 }, orders: [] });
  open([ananya, farah, newcomer]);
  await details('Ananya');
  expect(screen.getByText('3', { selector: 'h2 + p' })).toBeInstanceOf(HTMLElement);
  expect(getTexts(within(screen.getByRole('group', { name: 'Lists' })).getAllByRole('button'))).toEqual([
    'All3',
    'With an account2',
    'Guests1',
  ]);
  expect(screen.getAllByRole('link', { name: /@example.com/ }).map(({ textContent }) => textContent)).toEqual([
    'Ananya21 Nov 2026ananya@example.com1 order₹10,541.00',
    'Farah21 Nov 2026farah@example.com1 order₹10,541.00Guest',
    'Kabirkabir@example.comNo orders',
  ]);
  expect((await row(/^Ananya/)).getAttribute('aria-current')).toBe('true');
});

test('a search and a list are in the URL, and close who was open', async () => {
  const { asked } = open([ananya, farah]);
  await userEvent.click(await row(/^Farah/));
  await details('Farah');
  expect(address()).toBe('?panel=customers&open=id-Farah');
  await userEvent.click(screen.getByRole('button', { name: /^With an account/ }));
  await waitFor(() => expect(screen.queryByRole('link', { name: /^Farah/ })).toBeNull());
  expect(address()).toBe('?panel=customers&status=accounts');
  await userEvent.click(await row(/^Ananya/));
  await userEvent.type(screen.getByRole('searchbox', { name: 'Name, e-mail, number' }), ' nobody ');
  await screen.findByRole('heading', { name: 'Nobody found' });
  expect(new URLSearchParams(address()).has('open')).toBe(false);
  expect(screen.getByText(/^No order has “nobody” in its number, name or e-mail address\./)).toBeInstanceOf(HTMLElement);
  expect(paramsOf(asked)).toContainEqual({ guest: false, q: 'nobody' });
  // The numbers of the lists stay during a search.
  expect(screen.getByRole('button', { name: 'Guests 1' })).toBeInstanceOf(HTMLElement);
  await userEvent.click(screen.getAllByRole('button', { name: 'Clear' }).at(-1) ?? expect.fail('no button'));
  await details('Ananya');
  expect(address()).toBe('?panel=customers');
});

test.each([
  ['customers', 'No customers yet'],
  ['customers&status=guests', 'No guests yet'],
])('an empty list says who will stand there: %s', async (at, title) => {
  open([], at);
  await screen.findByRole('heading', { name: title });
});

test.each([
  ['/admin/customers', 'The customers could not be loaded. Check your connection.'],
  ['/admin/customers/id-Ananya', 'The customer could not be loaded. Check your connection.'],
])('what could not be loaded is asked for again: %s', async (refused, message) => {
  const { server } = openSiteManager('customers', {
    customers: [ananya],
    instead: ({ url }) => (url === refused ? { status: 503 } : undefined),
  });
  await screen.findByText(message);
  server.instead = () => undefined;
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await details('Ananya');
});

test('all that is known of a customer is shown, and leads to where it is handled', async () => {
  const city = { city: personalText('Mumbai'), postalCode: personalText('400050') };
  const { email: _email, ...home } = { ...NO_ADDRESS, name: personalText('Amma'), address1: personalText('12 Carter Road'), ...city };
  const returned = orderOf('RH-AAAAAAA3', { status: 'returned' });
  const { _id: orderId, orderNumber } = returned;
  open([
    customer('Ananya', {
      sums: { spent: 31_208, orders: 3, average: 7802.5, cameBack: 1 },
      orders: [orderOf('RH-AAAAAAA4', { status: 'pending' }), returned],
      returns: [{ orderId, orderNumber, status: 'accepted', requestedAt: noon }],
      addresses: [{ ...home, _id: 'a1', isDefault: true }],
      requests: {
        messages: [{ _id: 'm1', message: 'Can it be wrapped alone?', at: noon, state: 'answered', answeredBy: 'Devika Rao' }],
        notices: [{ productId: productId('oud-royal'), productName: 'Oud Royal', at: noon }],
        letters: [{ kind: 'export', reason: 'Letter of 14 November', at: noon, by: 'Devika Rao' }],
      },
    }),
  ]);
  const shown = await details('Ananya');
  expect(shown.getByText('Account since 8 Mar 2026')).toBeInstanceOf(HTMLElement);
  expect(shown.getByRole('link', { name: 'Write to Ananya' }).getAttribute('href')).toBe('mailto:ananya@example.com');
  expect(getTexts(shown.getAllByRole('definition'))).toEqual(['₹31,208.00', '3', '₹7,802.50', '1']);
  const hrefs = (name: string) => shown.getAllByRole('link', { name }).map((link) => link.getAttribute('href'));
  expect(hrefs('RH-AAAAAAA4')).toEqual(['/admin/site-manager?panel=orders&order=RH-AAAAAAA4']);
  expect(hrefs('RH-AAAAAAA3')).toHaveLength(2);
  expect(shown.getByText('To receive')).toBeInstanceOf(HTMLElement);
  expect(shown.getByText(/^These are the newest of 3/)).toBeInstanceOf(HTMLElement);
  expect(hrefs('all of them')).toEqual(['/admin/site-manager?panel=orders&q=ananya%40example.com']);
  expect(shown.getByText('12 Carter Road').parentElement?.textContent).toContain('Mumbai 400050');
  expect(shown.getByRole('link', { name: 'Can it be wrapped alone? 21 Nov 2026, answered by Devika Rao' }).getAttribute('href')).toBe(
    '/admin/site-manager?panel=messages&status=all&q=ananya%40example.com&open=m1',
  );
  expect(shown.getByText('Oud Royal')).toBeInstanceOf(HTMLElement);
  expect(shown.getByText('Exported by Devika Rao, 21 Nov 2026, 12:00')).toBeInstanceOf(HTMLElement);
});

test('parts of which there is nothing are left out', async () => {
  open([customer('Farah', { guest: true, phone: '' })]);
  const shown = await details('Farah');
  expect(shown.getByText('Guest, first order 8 Mar 2026')).toBeInstanceOf(HTMLElement);
  expect(getTexts(shown.getAllByRole('heading', { level: 4 }))).toEqual(['Orders', 'Asked for by letter']);
});

test('who was erased meanwhile is shown no longer', async () => {
  const { server } = open([ananya, farah]);
  await details('Ananya');
  server.customers = [farah];
  await userEvent.click(await row(/^Farah/));
  await userEvent.click(await row(/^Ananya/));
  await screen.findByRole('heading', { name: 'Customer not found' });
  expect(screen.queryByRole('heading', { level: 3, name: 'Ananya' })).toBeNull();
});

test('an order leads to its customer, who is marked in the list', async () => {
  const { asked } = openSiteManager('customers&open=order-7', {
    customers: [ananya, farah],
    instead: ({ url }) => (url === '/admin/customers/order-7' ? { data: farah } : undefined),
  });
  await details('Farah');
  expect((await row(/^Farah/)).getAttribute('aria-current')).toBe('true');
  expect(asked.map(({ url }) => url)).not.toContain('/admin/customers/id-Ananya');
});

test('a new order of somebody else does not change who is shown', async () => {
  const { server } = open([ananya]);
  await details('Ananya');
  server.customers = [farah, ananya];
  act(() => FakeLive.latest?.push('orders'));
  await row(/^Farah/);
  await details('Ananya');
  expect((await row(/^Ananya/)).getAttribute('aria-current')).toBe('true');
  await userEvent.click(screen.getByRole('button', { name: 'Guests 1' }));
  await details('Farah');
});

test('on a phone the list and the customer come one after the other', async () => {
  open([ananya, farah]);
  mediaThatHold();
  await userEvent.click(await row(/^Farah/));
  await details('Farah');
  expect(screen.queryByRole('searchbox')).toBeNull();
  await userEvent.click(screen.getByRole('link', { name: 'All customers' }));
  await row(/^Ananya/);
  expect(screen.queryByRole('heading', { level: 3 })).toBeNull();
  expect(address()).toBe('?panel=customers');
});

test('g and c open the panel', async () => {
  openSiteManager('', { customers: [ananya] });
  await screen.findByRole('link', { name: 'Customers' });
  await userEvent.keyboard('gc');
  await details('Ananya');
});

test.each([['money'], ['catalogue']] as const)('%s has no customers', async (role) => {
  const { asked } = openSiteManager('customers', { customers: [ananya] }, [role]);
  const nav = within(screen.getByRole('navigation', { name: 'Panels' }));
  await nav.findByRole('link', { name: /^Sales/ });
  expect(nav.queryByRole('link', { name: 'Customers' })).toBeNull();
  expect(asked.map(({ url }) => url)).not.toContain('/admin/customers');
});

const save = () => vi.mocked(files.saveFile).mock.calls;
beforeEach(() => void vi.spyOn(files, 'saveFile').mockReturnValue());
afterEach(() => void vi.useRealTimers());

const REASON = 'Letter of 14 November, signed';
const commands = (asked: ReturnType<typeof open>['asked']) =>
  asked.filter(({ body }) => body !== undefined).map(({ url, body }) => [url, body]);

test('an export needs a reason, saves the file, and is asked for once', async () => {
  const { server, asked } = open([ananya]);
  const { promise, answer } = createLateAnswer();
  server.instead = toCommands(() => promise);
  const dialog = await openDialog('Export the data');
  const deed = dialog.getByRole('button', { name: 'Export the data' });
  await userEvent.type(dialog.getByLabelText('Reason'), '   ');
  await userEvent.click(deed);
  expect(await dialog.findByText('Required')).toBeInstanceOf(HTMLElement);
  await userEvent.type(dialog.getByLabelText('Reason'), `${REASON} `);
  await userEvent.dblClick(deed);
  expect(await dialog.findByRole('button', { name: 'Gathering...' })).toHaveProperty('disabled', true);
  answer({ data: { account: { email: 'ananya@example.com' } } });
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(commands(asked)).toEqual([['/admin/customers/id-Ananya/export', { reason: REASON }]]);
  expect(save()).toEqual([
    [expect.stringMatching(/^ruhani-data-\d{4}-\d\d-\d\d\.json$/), 'application/json', [expect.stringContaining('ananya@example.com')]],
  ]);
  // What was done by letter is asked for again.
  await waitFor(() => expect(asked.filter(({ url }) => url === '/admin/customers/id-Ananya')).toHaveLength(2));
});

test.each([
  [400, { message: 'Please correct the marked fields', errors: { reason: 'At most 500 characters' } }, 'At most 500 characters'],
  [409, { message: 'Take the roles away first', code: 'is_staff' }, 'Take the roles away first'],
  [429, { message: 'Too many requests', code: 'too_many_requests' }, 'Too many requests'],
])('a refusal of an export stands in its dialog: %i', async (status, data, message) => {
  const { server } = open([ananya]);
  server.instead = toCommands({ status, data });
  const dialog = await openDialog('Export the data');
  await userEvent.type(dialog.getByLabelText('Reason'), REASON);
  await userEvent.click(dialog.getByRole('button', { name: 'Export the data' }));
  expect(await dialog.findByText(message)).toBeInstanceOf(HTMLElement);
  expect(save()).toEqual([]);
});

const openErasing = async (changes: Partial<Customer>) => {
  const opened = open([customer('Ananya', changes), farah]);
  return { ...opened, dialog: await openDialog('Erase the data') };
};

test.each<[Partial<CustomerOrder>, string]>([
  [{ status: 'pending', paymentStatus: 'on_delivery' }, '₹10,541.00 on delivery. It is cancelled with the data.'],
  [{ status: 'pending', paymentStatus: 'due' }, '₹10,541.00 not paid yet. It is cancelled with the data.'],
  [
    { status: 'confirmed', paymentStatus: 'paid' },
    '₹10,541.00 paid. It is cancelled with the data, and what is left of the payment goes back the way it came.',
  ],
  [{ status: 'confirmed', paymentStatus: 'refunded' }, '₹10,541.00 refunded before. It is cancelled with the data.'],
])('the dialog of an erasure names an open order and its money first: %j', async (of, words) => {
  const { dialog } = await openErasing({
    orders: [orderOf('RH-AAAAAAA5', of), orderOf('RH-AAAAAAA6')],
    sums: { ...ananya.sums, orders: 4 },
  });
  expect(dialog.getByRole('heading').textContent).toBe('Erase what we hold of Ananya');
  expect(dialog.getByRole('status').textContent).toBe(`RH-AAAAAAA5 is open, ${words}`);
  expect(dialog.getByText(/^The account, name, .* Four orders stay in the books/)).toBeInstanceOf(HTMLElement);
  expect(dialog.getByRole('button', { name: 'Erase and cancel RH-AAAAAAA5' })).toBeInstanceOf(HTMLElement);
});

test('several open orders are cancelled with an erasure, and a guest is told of the same browser', async () => {
  const orders = [5, 6].map((nth) => orderOf(`RH-AAAAAAA${nth}`, { status: 'pending', paymentStatus: 'on_delivery' }));
  const { dialog } = await openErasing({ orders, guest: true });
  expect(dialog.getByText(/All orders made in the same browser go with them. One order stays/)).toBeInstanceOf(HTMLElement);
  expect(dialog.getByRole('button', { name: 'Erase and cancel 2 orders' })).toBeInstanceOf(HTMLElement);
});

test('while a parcel is on its way the dialog says so and offers no erasing', async () => {
  const { dialog } = await openErasing({ orders: [orderOf('RH-AAAAAAA5', { status: 'shipped' })] });
  expect(dialog.getByText(/^RH-AAAAAAA5 is on its way and needs its address, so erasing must wait/)).toBeInstanceOf(HTMLElement);
  expect(dialog.queryByRole('textbox')).toBeNull();
  expect(getTexts(dialog.getAllByRole('button'))).toEqual(['', 'Keep the data']);
  await userEvent.click(dialog.getByRole('button', { name: 'Keep the data' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('an erased customer leaves list and details at once, and the focus goes to the title', async () => {
  const { server, asked } = open([ananya, farah]);
  await userEvent.click(await row(/^Farah/));
  await details('Farah');
  await userEvent.click(await row(/^Ananya/));
  const dialog = await openDialog('Erase the data');
  const asksForAnanya = () => asked.filter(({ url }) => url === '/admin/customers/id-Ananya').length;
  const before = asksForAnanya();
  act(() => FakeLive.latest?.push('orders'));
  // The list still has an erasure that is under way.
  server.instead = toCommands({ status: 202, data: { message: 'The data are being erased' } });
  expect(dialog.getByText('Stands in the security log for good: write no name here.')).toBeInstanceOf(HTMLElement);
  await userEvent.type(dialog.getByLabelText('Reason'), REASON);
  await userEvent.dblClick(dialog.getByRole('button', { name: 'Erase the data' }));
  await details('Farah');
  expect(screen.queryByRole('link', { name: /^Ananya/ })).toBeNull();
  expect(screen.queryByRole('dialog')).toBeNull();
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Customers'));
  expect(screen.getByText('The data are being erased', { selector: '[role=status] *' })).toBeInstanceOf(HTMLElement);
  expect(commands(asked)).toEqual([['/admin/customers/id-Ananya/erase', { reason: REASON }]]);
  server.customers = [farah];
  act(() => FakeLive.latest?.push('orders'));
  await screen.findByRole('button', { name: 'All 1' });
  // A customer who may be gone at any moment is not asked about.
  expect(asksForAnanya()).toBe(before);
  expect(address()).toBe('?panel=customers');
});

test('news that comes during the dialog of an erasure leaves the customer and the button where they were', async () => {
  const { server, dialog } = await openErasing({});
  const opener = screen.getAllByRole('button', { name: 'Erase the data', hidden: true })[0] ?? expect.fail('no button');
  server.customers = server.customers.slice(0, 1);
  act(() => FakeLive.latest?.push('orders'));
  await screen.findByRole('button', { name: 'All 1', hidden: true });
  await userEvent.click(dialog.getByRole('button', { name: 'Keep the data' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(opener.isConnected).toBe(true);
  await details('Ananya');
});

test('a parcel that left meanwhile keeps the data, and the dialog says so', async () => {
  const { server, dialog } = await openErasing({});
  server.instead = toCommands({ status: 409, data: { message: 'A parcel is on its way', code: 'order_is_open' } });
  await userEvent.type(dialog.getByLabelText('Reason'), REASON);
  await userEvent.click(dialog.getByRole('button', { name: 'Erase the data' }));
  expect((await dialog.findByRole('alert')).textContent).toBe('A parcel is on its way');
  await userEvent.click(dialog.getByRole('button', { name: 'Keep the data' }));
  await details('Ananya');
});
