import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import { mapOrderTexts, orderTextFields, orderTexts } from '#domain/order/texts.ts';
import { NOT_A_LINK } from '#domain/order/shipment-texts.ts';
import { personalText } from '#domain/shared/text.ts';
import { instant } from '#domain/shared/time.ts';
import { typed } from '#domain/testing/typed.ts';
import type { AdminOrder } from '../admin-types.ts';
import { scrollNearTheEnd } from '../../../testing/in-view.ts';
import { FakeLive, openDialog, openSiteManager, toCommands } from '../testing/open-site-manager.tsx';
import { item, order, orderNumberOf } from '../testing/shop-data.ts';
import { getDescription, getTexts } from '../../../testing/interactions.ts';
import { NO_ANSWER } from '../../../testing/shop.tsx';

const chooseStatus = async (status: string) => userEvent.selectOptions(await screen.findByRole('combobox', { name: 'Status' }), status);
const cardOf = (number: string) => screen.findByRole('article', { name: `Order ${number}` });

describe('an order card', () => {
  test('shows the items, the address and the amounts', async () => {
    openSiteManager();
    const card = within(await cardOf('RH-7K3MQ2XA'));
    for (const text of ['Pending', '21 Nov 2026', 'Oud Saffron Majlis', '2 x ₹2,150.00', 'Ananya Mehta', '+91 98200 55501', '₹10,541.00'])
      expect(card.getByText(text)).toBeInstanceOf(HTMLElement);
    expect(card.getByText(/12 Carter Road, Flat 4B/).closest('address')?.textContent).toContain('Mumbai, Maharashtra, India 400050');
    const details = card.getByRole('link', { name: 'View Details of RH-7K3MQ2XA' });
    expect(details.getAttribute('href')).toMatch(/^\/order-confirmed\/[0-9a-f-]{36}$/);
    const slip = card.getByRole('link', { name: 'Packing slip of RH-7K3MQ2XA, opens in a new tab' });
    expect(slip.getAttribute('href')).toMatch(/^\/api\/admin\/order\/[0-9a-f-]{36}\/packing-slip\.pdf$/);
    expect(slip.getAttribute('target')).toBe('_blank');
  });

  test('leads from the name to the customer, where a member has customers', async () => {
    openSiteManager();
    const link = within(await cardOf('RH-7K3MQ2XA')).getByRole('link', { name: 'Ananya Mehta' });
    expect(link.getAttribute('href')).toBe(`/admin/site-manager?panel=customers&open=${order()._id}`);
  });

  test('names the customer and leads nowhere for money', async () => {
    openSiteManager('', {}, ['money']);
    const card = within(await cardOf('RH-7K3MQ2XA'));
    expect(card.getByText('Ananya Mehta')).toBeInstanceOf(HTMLElement);
    expect(card.queryByRole('link', { name: 'Ananya Mehta' })).toBeNull();
  });

  test.each([
    ['confirmed', false],
    ['shipped', true],
    ['returned', true],
  ] as const)('links to the invoice of an order that is %s: %s', async (status, isInvoiced) => {
    openSiteManager('', { orders: [order({ status })] });
    const link = within(await cardOf('RH-7K3MQ2XA')).queryByRole('link', { name: 'Invoice of RH-7K3MQ2XA' });
    expect(link?.getAttribute('href') ?? '').toMatch(isInvoiced ? /^\/invoice\/[0-9a-f-]{36}$/ : /^$/);
  });

  test.each([
    ['orders', false],
    ['money', true],
  ] as const)('links to the invoice for the role %s: %s', async (role, reads) => {
    openSiteManager('', { orders: [order({ status: 'shipped' })] }, [role]);
    const links = within(await cardOf('RH-7K3MQ2XA')).queryAllByRole('link', { name: 'Invoice of RH-7K3MQ2XA' });
    expect(links).toHaveLength(reads ? 1 : 0);
  });

  test('shows the texts that the desk needs, and no other', async () => {
    openSiteManager('', { orders: [{ ...order(), ...mapOrderTexts((field) => personalText(`Words of ${field}`)) }] });
    const card = await cardOf('RH-7K3MQ2XA');
    const shown = orderTextFields.filter((field) => card.textContent.includes(`${orderTexts[field].title}: Words of ${field}`));
    expect(shown).toEqual(['note']);
  });

  test.each([
    ['orders', true],
    ['money', false],
  ] as const)('shows what shall come back or came, which %s handles: %s', async (role, handles) => {
    const of = order({ status: 'delivered' });
    const asked = {
      lines: [{ productId: of.items[0]?.product._id ?? expect.fail(), quantity: 1 }],
      value: 4071,
      reason: personalText('Too sweet'),
    };
    const returns = (['received', 'requested'] as const).map((status, nth) => {
      return { ...asked, _id: `${of._id}-${nth + 1}`, status, requestedAt: instant(`2026-11-2${nth}T08:00:00.000Z`) };
    });
    openSiteManager('', { orders: [order({ status: 'delivered', returns })] }, [role]);
    const list = within(await screen.findByRole('list', { name: 'Returns of RH-7K3MQ2XA' }));
    expect(getTexts(list.getAllByRole('listitem'))).toEqual([
      'Return of 21 Nov 2026: 1 × Oud Saffron Majlis, ₹4,071.00To decide',
      'Return of 20 Nov 2026: 1 × Oud Saffron Majlis, ₹4,071.00Received',
    ]);
    expect(list.queryAllByRole('link').map((link) => link.getAttribute('href'))).toEqual(
      handles ? ['requested', 'all'].map((at, nth) => `/admin/site-manager?panel=returns&status=${at}&open=${returns[1 - nth]?._id}`) : [],
    );
  });

  test('shows two items, and the others on request', async () => {
    openSiteManager('', { orders: [order({ items: ['Ruh Gulab', 'Gulab Bagh', 'Ivory Musk', 'Ruh Khus'].map((name) => item(name)) })] });
    const card = within(await cardOf('RH-7K3MQ2XA'));
    expect(card.queryByText('Ivory Musk')).toBeNull();
    await userEvent.click(card.getByRole('button', { name: '+ 2 more items' }));
    expect(card.getByText('Ruh Khus')).toBeInstanceOf(HTMLElement);
    await userEvent.click(card.getByRole('button', { name: 'Show fewer' }));
    expect(card.queryByText('Ruh Khus')).toBeNull();
  });

  test.each([
    ['pending', ['Confirm', 'Cancel']],
    ['confirmed', ['Mark packed', 'Mark shipped', 'Cancel']],
    ['shipped', ['Mark delivered']],
    ['delivered', ['Cash received']],
    ['cancelled', []],
    ['returned', ['Cash received']],
  ] as const)('offers the next actions for an order that is %s: %s', async (status, actions) => {
    openSiteManager('', { orders: [order({ status })] });
    const card = within(await cardOf('RH-7K3MQ2XA'));
    expect(getTexts(card.queryAllByRole('button'))).toEqual(actions);
  });
});

test.each([
  ['pending', null, true],
  ['confirmed', null, true],
  ['shipped', null, false],
  ['confirmed', 'Goa', false],
] as const)(
  'the card of an order that is %s and goes to %j says that the state is unknown: %s',
  async (status, placeOfSupply, isMarked) => {
    openSiteManager('', { orders: [order({ status, placeOfSupply })] });
    expect((await cardOf('RH-7K3MQ2XA')).textContent.includes('The state of delivery is unknown.')).toBe(isMarked);
  },
);

describe('marking an order shipped', () => {
  const SHIP = 'Mark shipped: RH-7K3MQ2XA';

  test('asks for an unknown state of delivery and sends it', async () => {
    const { server, asked } = openSiteManager('', { orders: [order({ status: 'confirmed', placeOfSupply: null })] });
    server.instead = toCommands({ status: 400, data: { message: 'No', code: 'invalid', errors: { placeOfSupply: 'Not a state' } } });
    const dialog = await openDialog(SHIP);
    const state = dialog.getByRole('combobox', { name: /State of delivery/ });
    expect(state.querySelectorAll('option')).toHaveLength(37);
    await userEvent.selectOptions(state, 'Tamil Nadu');
    await userEvent.click(dialog.getByRole('button', { name: 'Mark shipped' }));
    await waitFor(() => expect(getDescription(state)).toBe('Not a state'));
    server.instead = toCommands({ data: order({ status: 'shipped' }) });
    await userEvent.click(dialog.getByRole('button', { name: 'Mark shipped' }));
    await screen.findByText('RH-7K3MQ2XA is now shipped', { selector: '[role=status] *' });
    expect(asked.findLast(({ url }) => url.endsWith('/status'))?.body).toEqual({
      status: 'shipped',
      note: '',
      placeOfSupply: 'Tamil Nadu',
    });
  });

  test.each([null, 'Other Country'] as const)('sends no state when none is chosen or needed: %j', async (placeOfSupply) => {
    const { server, asked } = openSiteManager('', { orders: [order({ status: 'confirmed', placeOfSupply })] });
    server.instead = toCommands({ data: order({ status: 'shipped' }) });
    const dialog = await openDialog(SHIP);
    expect(dialog.queryAllByRole('combobox')).toHaveLength(placeOfSupply === null ? 1 : 0);
    await userEvent.click(dialog.getByRole('button', { name: 'Mark shipped' }));
    await screen.findByText('RH-7K3MQ2XA is now shipped', { selector: '[role=status] *' });
    expect(asked.find(({ url }) => url.endsWith('/status'))?.body).toEqual({ status: 'shipped', note: '' });
  });
});

describe('the shipment of an order', () => {
  const CARD = 'RH-7K3MQ2XA';
  const parcel = { courier: 'Blue Dart', trackingNumber: 'BD4711', trackingUrl: 'https://courier.example/4711' };
  const known = typed<NonNullable<AdminOrder['shipment']>>({ ...parcel, shippedAt: instant('2026-11-24T08:00:00.000Z') });

  test('is typed when it is marked shipped; a wrong link is named and not sent', async () => {
    const { server, asked } = openSiteManager('', { orders: [order({ status: 'confirmed' })] });
    server.instead = toCommands({ data: order({ status: 'shipped' }) });
    const dialog = await openDialog(`Mark shipped: ${CARD}`);
    await userEvent.type(dialog.getByRole('textbox', { name: /Courier/ }), ' Blue Dart ');
    const link = dialog.getByRole('textbox', { name: /Link/ });
    await userEvent.type(link, 'courier.example');
    await userEvent.click(dialog.getByRole('button', { name: 'Mark shipped' }));
    await waitFor(() => expect(getDescription(link)).toBe(NOT_A_LINK));
    expect(asked.some(({ url }) => url.endsWith('/status'))).toBe(false);
    await userEvent.clear(link);
    await userEvent.click(dialog.getByRole('button', { name: 'Mark shipped' }));
    await screen.findByText(`${CARD} is now shipped`, { selector: '[role=status] *' });
    expect(asked.find(({ url }) => url.endsWith('/status'))?.body).toEqual({ status: 'shipped', note: '', courier: 'Blue Dart' });
  });

  test('stands on its card and is corrected there', async () => {
    const { server, asked } = openSiteManager('', { orders: [order({ status: 'shipped', shipment: known })] });
    server.instead = toCommands({ data: order({ status: 'shipped', shipment: known }) });
    const card = within(await cardOf(CARD));
    expect(card.getByText(/Blue Dart, BD4711/)).toBeInstanceOf(HTMLElement);
    expect(card.getByRole('link', { name: /^Track/ }).getAttribute('href')).toBe(parcel.trackingUrl);
    const dialog = await openDialog(`Correct the shipment of ${CARD}`);
    const courier = dialog.getByRole('textbox', { name: /Courier/ });
    await userEvent.clear(courier);
    await userEvent.type(courier, 'DTDC');
    await userEvent.click(dialog.getByRole('button', { name: 'Correct and tell' }));
    await screen.findByText(`The shipment of ${CARD} is corrected`, { selector: '[role=status] *' });
    expect(asked.find(({ url }) => url.endsWith('/shipment'))?.body).toEqual({ ...parcel, courier: 'DTDC' });
  });

  test('cannot be corrected after the delivery', async () => {
    openSiteManager('', { orders: [order({ status: 'delivered', shipment: known })] });
    const card = within(await cardOf(CARD));
    expect(card.getByText(/Blue Dart, BD4711/)).toBeInstanceOf(HTMLElement);
    expect(card.queryByRole('button', { name: /^Correct the shipment/ })).toBeNull();
  });
});

test("changing an order's status sends a note, and the order then has the new status", async () => {
  const { server, asked } = openSiteManager();
  server.instead = toCommands(() => {
    server.orders = [order({ status: 'confirmed' })];
    return { data: server.orders[0] };
  });
  const dialog = await openDialog('Confirm: RH-7K3MQ2XA');
  await userEvent.type(dialog.getByRole('textbox', { name: /Note/ }), ' By telephone ');
  expect(dialog.getByText(/told by e-mail/)).toBeInstanceOf(HTMLElement);
  await userEvent.click(dialog.getByRole('button', { name: 'Confirm order' }));
  expect(await screen.findByText('RH-7K3MQ2XA is now confirmed', { selector: '[role=status] *' })).toBeInstanceOf(HTMLElement);
  expect(screen.getByRole('log').textContent).toBe('RH-7K3MQ2XA is now confirmed');
  expect(asked.find(({ url }) => url.endsWith('/status'))?.body).toEqual({ status: 'confirmed', note: 'By telephone' });
  expect(await within(await cardOf('RH-7K3MQ2XA')).findByText('Confirmed')).toBeInstanceOf(HTMLElement);
});

const refunded = (status: 'refunding' | 'refunded', amount: number) => ({
  status,
  refunds: [
    {
      _id: 'p-1',
      amount,
      reason: 'A dent',
      status: status === 'refunded' ? 'settled' : 'requested',
      at: instant('2026-11-21T06:30:00.000Z'),
    },
  ] as const,
});

test.each([
  [{ status: 'paid', method: 'upi' }, 'Cancel and refund ₹10,541.00', /^₹10,541\.00 goes back the way it came, by UPI/],
  [{}, 'Cancel order', /^Nothing was paid for it/],
  [{ status: 'due' }, 'Cancel order', /^Nothing was paid for it/],
  [{ status: 'due', refundable: 541 }, 'Cancel and refund ₹541.00', /^₹541\.00 goes back the way it came: the gateway is told at once/],
  [refunded('refunding', 541), 'Cancel and refund ₹10,000.00', /^₹10,000\.00 goes back the way it came/],
  [refunded('refunding', 10_541), 'Cancel order', /^Its refund is under way already/],
  [refunded('refunded', 10_541), 'Cancel order', /^What was paid for it went back already/],
] as const)('cancelling an order with the payment %j names its deed, and says first where the money goes', async (payment, deed, where) => {
  openSiteManager('', { orders: [order({ payment })] });
  const dialog = await openDialog('Cancel: RH-7K3MQ2XA');
  expect(dialog.getByRole('button', { name: deed })).toBeInstanceOf(HTMLElement);
  expect(dialog.getByText(where)).toBeInstanceOf(HTMLElement);
  await userEvent.click(dialog.getByRole('button', { name: 'Keep order' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test("changing an order's status uses a dialog that cannot be closed before the server has answered", async () => {
  openSiteManager('', { instead: toCommands(NO_ANSWER) });
  const dialog = await openDialog('Confirm: RH-7K3MQ2XA');
  await userEvent.click(dialog.getByRole('button', { name: 'Confirm order' }));
  expect(await dialog.findByText('Saving...')).toBeInstanceOf(HTMLElement);
  await userEvent.keyboard('{Escape}');
  await userEvent.click(dialog.getByRole('button', { name: 'Leave pending' }));
  expect(screen.getByRole('dialog', { name: 'Confirm order: RH-7K3MQ2XA' })).toBeInstanceOf(HTMLElement);
});

test("changing an order's status on an outdated page shows the current status and who set it, and updates the card", async () => {
  const { server } = openSiteManager();
  await cardOf('RH-7K3MQ2XA');
  server.orders = [order({ status: 'cancelled' })];
  server.instead = toCommands({
    status: 409,
    data: {
      message: 'The order is cancelled and cannot become confirmed. Mira Kapoor changed it last.',
      code: 'illegal_transition',
      current: order({ status: 'cancelled' }),
      changedBy: { kind: 'admin', name: 'Mira Kapoor', at: '2026-11-21T07:00:00.000Z' },
    },
  });
  const dialog = await openDialog('Confirm: RH-7K3MQ2XA');
  await userEvent.click(dialog.getByRole('button', { name: 'Confirm order' }));
  expect((await dialog.findByRole('alert')).textContent).toContain('Mira Kapoor changed it last.');
  expect(dialog.getByText('Cancelled')).toBeInstanceOf(HTMLElement);
  expect(dialog.getByText('Mira Kapoor, 21 Nov 2026, 12:30')).toBeInstanceOf(HTMLElement);
  await userEvent.click(dialog.getByRole('button', { name: 'Show the order as it is' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Confirm: RH-7K3MQ2XA' })).toBeNull());
  expect(within(await cardOf('RH-7K3MQ2XA')).getByText('Cancelled')).toBeInstanceOf(HTMLElement);
});

describe("while an order's status is changed", () => {
  const [first, second] = ['RH-AAAAAAA2', 'RH-BBBBBBB3'];
  const pending = [order({ number: first }), order({ number: second })];
  const openMove = async () => {
    const opened = openSiteManager('', { orders: pending });
    await chooseStatus('pending');
    return { ...opened, dialog: await openDialog(`Confirm: ${first}`) };
  };
  const gone = [order({ number: first, status: 'cancelled' }), ...pending.slice(1)];

  test('the focus moves to the next order when the order leaves the filtered list', async () => {
    const { server, dialog } = await openMove();
    server.instead = toCommands(() => {
      server.orders = gone;
      return { data: gone[0] };
    });
    await userEvent.click(dialog.getByRole('button', { name: 'Confirm order' }));
    await waitFor(() => expect(screen.queryByRole('article', { name: `Order ${first}` })).toBeNull());
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: `Confirm: ${second}` })));
  });

  test('a note that is being typed is kept when somebody else changes the status', async () => {
    const { server, dialog } = await openMove();
    await userEvent.type(dialog.getByRole('textbox', { name: /Note/ }), 'By telephone');
    server.orders = gone;
    act(() => FakeLive.latest?.push('orders'));
    // Content behind a dialog is hidden from screen readers.
    await waitFor(() => expect(screen.queryByRole('article', { name: `Order ${first}`, hidden: true })).toBeNull());
    expect(dialog.getByRole('textbox', { name: /Note/ })).toHaveProperty('value', 'By telephone');
    await userEvent.click(dialog.getByRole('button', { name: 'Leave pending' }));
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: `Confirm: ${second}` })));
  });
});

const delivered = order({ status: 'delivered' });
const fields = Object.keys(delivered.shippingAddress).map((field) => [field, 'erased']);
const erased: typeof delivered = { ...delivered, shippingAddress: Object.fromEntries(fields) };

describe('a guest’s order', () => {
  const link = () => screen.queryByRole('link', { name: 'Erase personal data of RH-7K3MQ2XA' });

  test('leads to the customer, whose data are erased there with a reason', async () => {
    const { router } = openSiteManager('', { orders: [delivered] });
    await cardOf('RH-7K3MQ2XA');
    await userEvent.click(link() ?? expect.fail('no link'));
    expect(router.state.location.search).toBe(`?panel=customers&open=${delivered._id}`);
  });

  test.each([
    ['whose parcel is on its way', order({ status: 'shipped' }), 'orders'],
    ['that belongs to an account', { ...delivered, guest: false }, 'orders'],
    ['whose shopper is erased', erased, 'orders'],
    ['for a member without customers', delivered, 'money'],
  ] as const)('leads nowhere for one %s', async (_which, shown, role) => {
    openSiteManager('', { orders: [shown] }, [role]);
    await cardOf('RH-7K3MQ2XA');
    expect(link()).toBeNull();
  });
});

test.each([
  ['pending', ['Cancel']],
  ['confirmed', ['Cancel']],
  ['shipped', ['Mark delivered']],
] as const)('an order of an erased shopper that is %s is offered nothing that leads or writes to them: %s', async (status, actions) => {
  openSiteManager('', { orders: [{ ...erased, status }] });
  const card = within(await cardOf('RH-7K3MQ2XA'));
  expect(getTexts(card.queryAllByRole('button'))).toEqual(actions);
  expect(card.queryByRole('link', { name: /^Packing slip/ })).toBeNull();
  await userEvent.click(card.getByRole('button', { name: `${actions.at(-1)}: RH-7K3MQ2XA` }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.queryByText(/e-mail/)).toBeNull();
  expect(dialog.queryByRole('textbox')).toBeNull();
});

test('the order list is searched when the field is left, so that the search does not undo the click that follows', async () => {
  const { router } = openSiteManager();
  await cardOf('RH-7K3MQ2XA');
  const search = screen.getByRole('searchbox', { name: 'Number, name or e-mail' });
  await userEvent.type(search, 'kabir');
  // Both events happen before the page is rendered again.
  act(() => {
    search.blur();
    fireEvent.change(screen.getByRole('combobox', { name: 'Status' }), { target: { value: 'delivered' } });
  });
  expect(router.state.location.search).toBe('?q=kabir&status=delivered');
});

test('the order list is restored by Back with the same filter, search and length, without a loading state', async () => {
  const orders = Array.from({ length: 20 }, (_, index) => order({ number: orderNumberOf(index) }));
  const others = Array.from({ length: 5 }, (_, index) => order({ number: `RH-BBBBBBB${index + 2}` }));
  const { router, server, asked } = openSiteManager('orders&view=cards', { orders: [...orders, ...others] });
  await chooseStatus('pending');
  await userEvent.type(screen.getByRole('searchbox'), 'rh-aaa');
  await waitFor(() => expect(router.state.location.search).toBe('?panel=orders&view=cards&status=pending&q=rh-aaa'));
  await waitFor(() => expect(asked.at(-1)?.params).toMatchObject({ status: 'pending', q: 'rh-aaa' }));
  await waitFor(() => {
    act(scrollNearTheEnd);
    expect(screen.getAllByRole('article')).toHaveLength(20);
  });
  await act(() => router.navigate('/elsewhere'));
  expect(screen.queryAllByRole('article')).toEqual([]);
  server.instead = () => NO_ANSWER;
  await act(() => router.navigate(-1));
  expect(screen.getAllByRole('article')).toHaveLength(20);
  expect(screen.getByRole<HTMLInputElement>('searchbox').value).toBe('rh-aaa');
});
