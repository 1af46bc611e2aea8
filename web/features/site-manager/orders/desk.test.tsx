import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { personalText } from '#domain/shared/text.ts';
import { instant } from '#domain/shared/time.ts';
import { mediaThatHold } from '../../../testing/in-view.ts';
import { type Answer, type Call, createLateAnswer } from '../../../testing/shop.tsx';
import { switchKeys } from '../use-desk-keys.ts';
import { FakeLive } from '../../../testing/fake-live.ts';
import { at, openSiteManager, toCommands } from '../testing/open-site-manager.tsx';
import { order, orderNumberOf } from '../testing/shop-data.ts';
import { getTexts } from '../../../testing/interactions.ts';
import { parseShipments } from './batch/parse-shipments.ts';

const noon = instant('2026-11-21T06:30:00.000Z');
const longAgo = instant('2020-11-21T06:30:00.000Z');
const now = instant(new Date().toISOString());
const number = orderNumberOf;
const someOf = (count: number, changes: Partial<Parameters<typeof order>[0]> & { packedAt?: typeof noon } = {}) =>
  Array.from({ length: count }, (_, nth) => ({ ...order({ number: number(nth), ...changes }), packedAt: changes.packedAt ?? null }));
const packed = (count: number) => someOf(count, { status: 'confirmed', payment: { status: 'paid', method: 'upi' }, packedAt: noon });
const rowOf = (nth: number) => screen.findByRole('row', { name: new RegExp(number(nth)) });
const select = (nth: number) => screen.findByRole('checkbox', { name: `Select ${number(nth)}` });
const drawer = () => screen.findByRole('dialog', { name: /^Order RH-/ });
const press = (keys: string) => userEvent.keyboard(keys);
const moves = (asked: readonly Call[]) =>
  asked.filter(({ body }) => body !== undefined).map(({ url, body }) => [url.split('/').at(-1), body]);

beforeEach(() => {
  localStorage.clear();
  switchKeys(true);
});

describe('the table of orders', () => {
  test('stands first on wide screens when the shop has more than twelve orders, else the cards; a choice is kept', async () => {
    openSiteManager('', { orders: someOf(13) });
    expect(await screen.findByRole('table')).toBeInstanceOf(HTMLElement);
    await userEvent.click(screen.getByRole('button', { name: 'Cards' }));
    expect(await screen.findAllByRole('article')).toHaveLength(12);
    expect(localStorage.getItem('desk-orders-view')).toBe('cards');
  });

  test('does not stand first on narrow screens', async () => {
    openSiteManager('', { orders: someOf(13) });
    await screen.findByRole('table');
    act(() => mediaThatHold());
    expect(await screen.findAllByRole('article')).toHaveLength(12);
  });

  test('shows gift wrap and note, what is late, packed and next', async () => {
    const [late] = someOf(1, { status: 'pending' });
    if (!late) return expect.fail('no order');
    const wrapped = {
      ...order({ number: number(1), status: 'confirmed' }),
      placedAt: now,
      packedAt: noon,
      giftWrap: true,
      note: personalText('Ring twice'),
    };
    openSiteManager('orders&view=table', { orders: [{ ...late, placedAt: longAgo }, wrapped] });
    const marks = async (nth: number) => ['Gift wrap', 'Order note', 'late', 'Packed'].map((text) => rowHas(text, nth));
    const rowHas = async (text: string, nth: number) => within(await rowOf(nth)).queryAllByText(text).length > 0;
    expect(await Promise.all(await marks(0))).toEqual([false, false, true, false]);
    expect(await Promise.all(await marks(1))).toEqual([true, true, false, true]);
    expect(within(await rowOf(0)).getByRole('button', { name: `Confirm ${number(0)}` })).toBeInstanceOf(HTMLElement);
    expect(within(await rowOf(1)).getByRole('button', { name: `Ship ${number(1)}` })).toBeInstanceOf(HTMLElement);
  });

  test('lists orders by what is next, with counts that the panel shows too, from the URL', async () => {
    const { router, asked } = openSiteManager('orders&view=table', {
      orders: [...packed(3), order({ number: number(9) })].map((one) => ({ ...one, placedAt: longAgo })),
    });
    await userEvent.click(await screen.findByRole('button', { name: 'To ship 3' }));
    await waitFor(() => expect(screen.getAllByRole('row')).toHaveLength(4));
    expect(router.state.location.search).toBe('?panel=orders&view=table&next=ship');
    expect(asked.find(({ params }) => params['next'] === 'ship')).toBeDefined();
    expect(screen.getByRole('link', { name: 'Orders 4 to do' })).toBeInstanceOf(HTMLElement);
    await userEvent.click(screen.getByRole('button', { name: 'Overdue 4' }));
    expect(await screen.findByText(/^Not shipped 3 days after/)).toBeInstanceOf(HTMLElement);
  });

  test('keeps rows in their places: new orders wait, and what has moved on stays', async () => {
    const { server } = openSiteManager('orders&view=table&next=ship', { orders: packed(2) });
    await rowOf(1);
    server.orders = [{ ...order({ number: number(7), status: 'confirmed' }), packedAt: noon }, ...packed(2).slice(1)];
    act(() => FakeLive.latest?.push('orders'));
    expect(await screen.findByText('1 new order since you opened this list.')).toBeInstanceOf(HTMLElement);
    expect(within(await rowOf(0)).getByText('Moved on')).toBeInstanceOf(HTMLElement);
    expect(screen.queryByText(number(7))).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Show' }));
    expect(getTexts(screen.getAllByRole('link', { name: /^RH-/ }))).toEqual([number(7), number(1)]);
  });

  test('takes nothing over that was selected among the rows of the list before', async () => {
    const { server } = openSiteManager('orders&view=table', { orders: [...packed(2), order({ number: number(9) })] });
    const { promise, answer } = createLateAnswer();
    await rowOf(9);
    server.instead = ({ params }) => (params['next'] === 'ship' ? promise : undefined);
    await userEvent.click(screen.getByRole('button', { name: 'To ship 2' }));
    await waitFor(() => expect(screen.getByRole('button', { name: 'To ship 2', pressed: true })).toBeInstanceOf(HTMLElement));
    await userEvent.click(screen.getByRole('checkbox', { name: 'Select all shown' }));
    expect(screen.getByText('3 selected')).toBeInstanceOf(HTMLElement);
    answer({ data: { orders: packed(2) } });
    await waitFor(() => expect(screen.queryByText(number(9))).toBeNull());
    expect(screen.queryByText(/selected$/)).toBeNull();
  });

  test('selects nothing in a list that was chosen while all of the one before were being selected', async () => {
    const { server } = openSiteManager('orders&view=table&next=confirm', { orders: [...someOf(21), ...packed(1)] });
    const { promise, answer } = createLateAnswer();
    await rowOf(19);
    server.instead = ({ url, params }) => (url === '/admin/orders' && params['limit'] === 200 ? promise : undefined);
    await userEvent.click(screen.getByRole('checkbox', { name: 'Select all shown' }));
    await userEvent.click(screen.getByRole('button', { name: 'Select all in this list' }));
    await userEvent.click(screen.getByRole('button', { name: 'To ship 1' }));
    await waitFor(() => expect(screen.queryByText(/selected$/)).toBeNull());
    await act(async () => answer({ data: { orders: someOf(21) } }));
    expect(screen.queryByText(/selected$/)).toBeNull();
  });

  test('opens an order beside it, which j and k carry along, and gives the focus back', async () => {
    const { router } = openSiteManager('orders&view=table', { orders: packed(3) });
    await userEvent.click(await screen.findByRole('link', { name: number(1) }));
    expect(within(await drawer()).getByRole('heading', { name: `Order ${number(1)}` })).toBe(document.activeElement);
    await press('j');
    await waitFor(() => expect(router.state.location.search).toBe(`?panel=orders&view=table&order=${number(2)}`));
    await press('kk');
    expect(await screen.findByRole('heading', { name: `Order ${number(0)}` })).toBeInstanceOf(HTMLElement);
    await press('{Escape}');
    expect(screen.queryByRole('dialog')).toBeNull();
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('link', { name: number(0) })));
  });

  test('says that there is no order of the number in the address, or why it was not loaded, beside its list', async () => {
    const { server, router } = openSiteManager(`orders&view=table&order=${number(7)}`, { orders: packed(2) });
    await screen.findByText(`There is no order ${number(7)}.`);
    await rowOf(1);
    await userEvent.click(screen.getByRole('button', { name: 'Close' }));
    expect(router.state.location.search).toBe('?panel=orders&view=table');
    expect(screen.queryByText(/There is no order/)).toBeNull();
    server.instead = ({ params }) => (params['number'] ? { status: 503, data: { message: 'Too busy. Try again.' } } : undefined);
    await act(() => router.navigate(`?panel=orders&view=table&order=${number(8)}`));
    await screen.findByText('Too busy. Try again.');
  });

  test('says in the drawer what shall come back, and how to write to the customer', async () => {
    const of = order({ number: number(0), status: 'delivered' });
    const line = { productId: of.items[0]?.product._id ?? expect.fail(), quantity: 1 };
    const asked = {
      _id: `${of._id}-1`,
      status: 'accepted',
      lines: [line],
      value: 4071,
      reason: personalText('Too sweet'),
      requestedAt: noon,
    } as const;
    openSiteManager(`orders&order=${number(0)}`, { orders: [order({ number: number(0), status: 'delivered', returns: [asked] })] });
    const opened = within(await drawer());
    const link = within(opened.getByRole('list', { name: `Returns of ${number(0)}` })).getByRole('link', { name: 'To receive' });
    expect(link.getAttribute('href')).toBe(`/admin/site-manager?panel=returns&status=accepted&open=${of._id}-1`);
    expect(opened.getByRole('link', { name: of.shippingAddress.email }).getAttribute('href')).toBe(`mailto:${of.shippingAddress.email}`);
  });

  test.each([
    ['requested', 'Decide'],
    ['accepted', 'Receive'],
  ] as const)('leads from an order to its return that is %s', async (status, action) => {
    const of = order({ number: number(0), status: 'delivered' });
    const one = { lines: [], value: 4071, reason: personalText('Too sweet'), requestedAt: noon };
    const returns = [{ ...one, _id: `${of._id}-1`, status: 'refused' } as const, { ...one, _id: `${of._id}-2`, status }];
    openSiteManager('orders&view=table', { orders: [{ ...of, returns }] }, ['orders']);
    const link = within(await rowOf(0)).getByRole('link', { name: `${action} return of ${number(0)}` });
    expect(link.getAttribute('href')).toBe(`/admin/site-manager?panel=returns&status=${status}&open=${of._id}-2`);
    cleanup();
    openSiteManager('orders&view=table', { orders: [{ ...of, returns }] }, ['money']);
    expect(within(await rowOf(0)).queryByRole('link', { name: /return of/ })).toBeNull();
  });

  test('says in the drawer what the packer needs', async () => {
    const gift = {
      ...order({ number: number(0) }),
      giftWrap: true,
      giftMessage: personalText('For Amma'),
      note: personalText('Ring twice'),
    };
    openSiteManager(`orders&order=${number(0)}`, { orders: [gift] });
    const packing = within(within(await drawer()).getByRole('region', { name: 'For the packing room' }));
    for (const text of ['Gift wrap', 'For Amma', 'Ring twice']) expect(packing.getByText(text)).toBeInstanceOf(HTMLElement);
  });
});

describe('the keys', () => {
  test('move, select one or a range, and clear', async () => {
    openSiteManager('orders&view=table', { orders: packed(5) });
    await rowOf(0);
    await press('jx');
    expect(await select(0)).toHaveProperty('checked', true);
    await press('jj{Shift>}X{/Shift}');
    expect(await screen.findByText('3 selected')).toBeInstanceOf(HTMLElement);
    await press('{Escape}');
    expect(screen.queryByText('3 selected')).toBeNull();
  });

  test('take the next step of a row, unless it has moved on', async () => {
    const { asked, server } = openSiteManager('orders&view=table&next=confirm', { orders: someOf(2) });
    await rowOf(1);
    server.orders = someOf(2).slice(1);
    act(() => FakeLive.latest?.push('orders'));
    await screen.findByText('Moved on');
    await press('jn');
    expect(screen.queryByRole('dialog')).toBeNull();
    await press('jn');
    expect(await screen.findByRole('dialog', { name: `Confirm order: ${number(1)}` })).toBeInstanceOf(HTMLElement);
    expect(moves(asked)).toEqual([]);
  });

  test('of a row act on no card, which shows no cursor', async () => {
    openSiteManager('orders&view=table', { orders: someOf(3) });
    await rowOf(2);
    await press('j');
    await userEvent.click(screen.getByRole('button', { name: 'Cards' }));
    expect(await screen.findAllByRole('article')).toHaveLength(3);
    await press('xjxn');
    expect(screen.queryByText(/ selected$/)).toBeNull();
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test('open the search, panels and their list; typing and the switch stop them', async () => {
    const { router } = openSiteManager('orders&view=table', { orders: packed(2) });
    await rowOf(0);
    await press('/');
    const search = screen.getByRole('searchbox', { name: 'Number, name or e-mail' });
    expect(document.activeElement).toBe(search);
    await press('gm');
    expect(router.state.location.search).not.toContain('money');
    act(() => search.blur());
    await press('gt');
    await waitFor(() => expect(router.state.location.search).toBe('?panel=tax'));
    await press('?');
    const list = within(await screen.findByRole('dialog', { name: 'Keys' }));
    await userEvent.click(list.getByRole('checkbox', { name: 'Use these keys' }));
    await userEvent.click(list.getAllByRole('button', { name: 'Close' })[1] ?? expect.fail('no button'));
    await press('go');
    expect(router.state.location.search).toBe('?panel=tax');
    expect(localStorage.getItem('desk-keys')).toBe('off');
  });
});

describe('the key of papers', () => {
  test('opens slip and label of the order in focus, or of the selection', async () => {
    const opened = vi.spyOn(window, 'open').mockReturnValue(null);
    const orders = packed(3);
    openSiteManager('orders&view=table', { orders });
    await rowOf(0);
    await press('pjp');
    await press('xjxp');
    const [first, second] = orders.map(({ _id }) => _id);
    const address = '/api/admin/slips-and-labels.pdf?ids=';
    expect(opened.mock.calls.map(([url]) => url)).toEqual([`${address}${first}`, `${address}${first},${second}`]);
  });
});

describe('many orders at once', () => {
  test('are selected by a click with Shift, or all that match', async () => {
    openSiteManager('orders&view=table&next=ship', { orders: packed(25) });
    await userEvent.click(await select(2));
    fireEvent.click(await select(5), { shiftKey: true });
    expect(await screen.findByText('4 selected')).toBeInstanceOf(HTMLElement);
    await userEvent.click(screen.getByRole('button', { name: 'Select all in this list' }));
    expect(await screen.findByText('25 selected')).toBeInstanceOf(HTMLElement);
    const papers = within(screen.getByRole('region', { name: 'Selection' })).getAllByRole('link');
    expect(papers.map((link) => [link.textContent, link.getAttribute('href')?.split(/[?,]/).length])).toEqual([['Slips and labels', 26]]);
  });

  test('are more than 200: all are taken, in as many calls as that needs, but papers come for 200', async () => {
    const saved: Blob[] = [];
    vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
      if (blob instanceof Blob) saved.push(blob);
      return 'blob:orders';
    });
    const files = at('/admin/orders.csv', ({ params }) => ({ data: `Order Number\r\n${String(params['ids']).split(',').length}\r\n` }));
    const { server } = openSiteManager('orders&view=table&next=ship', { orders: packed(401), instead: files });
    await userEvent.click(await select(2));
    await userEvent.click(screen.getByRole('button', { name: 'Select all in this list' }));
    expect(await screen.findByText('401 selected')).toBeInstanceOf(HTMLElement);
    expect(screen.getByText('Slips and labels: at most 200 orders at once.')).toBeInstanceOf(HTMLElement);
    expect(screen.queryByRole('link', { name: /^Slips and labels/ })).toBeNull();
    const { promise, answer } = createLateAnswer();
    server.instead = (call) => (String(call.params['ids']).includes(',') ? files(call) : promise);
    await userEvent.click(screen.getByRole('button', { name: 'CSV of the selection' }));
    expect(await screen.findByText('401 selected, 400 in the file')).toBeInstanceOf(HTMLElement);
    await act(async () => answer({ data: 'Order Number\r\n1\r\n' }));
    await waitFor(() => expect(saved).toHaveLength(1));
    expect(screen.getByText('401 selected')).toBeInstanceOf(HTMLElement);
    expect(await saved[0]?.text()).toBe('\uFEFFOrder Number\r\n200\r\n200\r\n1\r\n');
    server.instead = at('/admin/orders.csv', { status: 500, data: '' });
    await userEvent.click(screen.getByRole('button', { name: 'CSV of the selection' }));
    const notices = screen.getByRole('log', { name: 'Notices' });
    await waitFor(() => expect(notices.textContent).toBe('The file could not be made. Please try again.'));
    expect(screen.getByRole('button', { name: 'Ship 401 orders' })).toBeInstanceOf(HTMLElement);
  });

  test('are shipped with what was pasted; one that fails stops no other, and is tried again', async () => {
    const orders = packed(3);
    const { server, asked } = openSiteManager('orders&view=table&next=ship', { orders });
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Select all shown' }));
    await userEvent.click(screen.getByRole('button', { name: 'Ship 3 orders' }));
    const sheet = await screen.findByRole('region', { name: 'Ship 3 orders' });
    const text = `Order\tCourier\tNumber\n${number(2)}\tBlue Dart\t81\n${number(0)}\tDelhivery\t77\thttps://d.example/77\nRH-ZZZZZZZZ\tX\t1\n`;
    fireEvent.paste(sheet, { clipboardData: { getData: () => text } });
    expect(await screen.findByText('2 of 3 have a number.')).toBeInstanceOf(HTMLElement);
    expect(screen.getByText('None of these orders: line 4, RH-ZZZZZZZZ.')).toBeInstanceOf(HTMLElement);
    let refused = true;
    server.instead = toCommands(({ url }) =>
      refused && url.includes(String(orders[1]?._id))
        ? { status: 409, data: { message: 'Order is refunded', code: 'order_is_refunded' } }
        : { data: {} },
    );
    await userEvent.click(screen.getByRole('button', { name: 'Ship 3 orders' }));
    expect(await screen.findByText('2 of 3 done.')).toBeInstanceOf(HTMLElement);
    const outcomes = () => getTexts(within(screen.getByRole('list', { name: 'What came of each order' })).getAllByRole('listitem'));
    expect(outcomes()).toEqual([
      expect.stringMatching(/Delhivery, 77Shipped$/),
      expect.stringContaining('Order is refunded'),
      expect.stringMatching(/Blue Dart, 81Shipped$/),
    ]);
    expect(moves(asked)).toEqual([
      ['status', { status: 'shipped', note: '', courier: 'Delhivery', trackingNumber: '77', trackingUrl: 'https://d.example/77' }],
      ['status', { status: 'shipped', note: '' }],
      ['status', { status: 'shipped', note: '', courier: 'Blue Dart', trackingNumber: '81' }],
    ]);
    refused = false;
    await userEvent.click(screen.getByRole('button', { name: 'Try 1 order again' }));
    expect(await screen.findByText('1 of 1 done.')).toBeInstanceOf(HTMLElement);
  });

  test('go on while another panel is shown, are told until they were looked at, and then take the next deed', async () => {
    const answers: (() => void)[] = [];
    const { asked, router, server } = openSiteManager('orders&view=table', { orders: someOf(3) });
    const later = (answer: Answer) => new Promise<Answer>((resolve) => answers.push(() => resolve(answer)));
    const refusal = { status: 409, data: { message: 'Order is cancelled', code: 'illegal_transition' } };
    server.instead = toCommands(() => later(answers.length === 0 ? refusal : { data: {} }));
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Select all shown' }));
    await userEvent.click(screen.getByRole('button', { name: 'Confirm 3 orders' }));
    await waitFor(() => expect(answers).toHaveLength(3));
    await act(() => router.navigate('?panel=tax'));
    await act(() => answers.forEach((answer) => answer()));
    await act(() => router.navigate('?panel=orders&view=table'));
    const notice = await screen.findByText('Confirming: 2 of 3 done, 1 not confirmed.');
    await userEvent.click(within(notice.parentElement ?? expect.fail()).getByRole('button', { name: 'Show' }));
    expect(await screen.findByText('2 of 3 done.')).toBeInstanceOf(HTMLElement);
    await userEvent.click(screen.getByRole('button', { name: 'Back to the orders' }));
    await rowOf(0);
    expect(screen.queryByText(/^Confirming/)).toBeNull();
    server.instead = toCommands({ data: {} });
    await act(() => router.navigate('?panel=orders&batch=run'));
    await userEvent.click(await screen.findByRole('button', { name: 'Pack 2 orders' }));
    await screen.findByRole('region', { name: 'Packing 2 orders' });
    expect(await screen.findByText('2 of 2 done.')).toBeInstanceOf(HTMLElement);
    const sent = asked.filter(({ body }) => body !== undefined).map(({ url }) => url.split('/').slice(-2));
    const ids = sent.map(([id]) => id);
    expect(sent.slice(3)).toEqual([ids[1], ids[2]].map((id) => [id, 'packed']));
    await userEvent.click(screen.getByRole('button', { name: 'Ship 2 orders' }));
    expect(await screen.findByRole('region', { name: 'Ship 2 orders' })).toBeInstanceOf(HTMLElement);
  });

  test('are delivered', async () => {
    const { asked, server } = openSiteManager('orders&view=table', { orders: someOf(2, { status: 'shipped' }) });
    server.instead = toCommands({ data: {} });
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Select all shown' }));
    await userEvent.click(screen.getByRole('button', { name: 'Deliver 2 orders' }));
    expect(await screen.findByText('2 of 2 done.')).toBeInstanceOf(HTMLElement);
    expect(moves(asked)).toEqual(['delivered', 'delivered'].map((status) => ['status', { status, note: '' }]));
  });

  test('are begun after what still runs, with what was typed for them', async () => {
    const others = [7, 8].map((nth) => order({ number: number(nth) }));
    const { asked, router, server } = openSiteManager('orders&view=table', { orders: [...packed(1), ...others] });
    const answers: (() => void)[] = [];
    server.instead = toCommands(() => new Promise<Answer>((resolve) => answers.push(() => resolve({ data: {} }))));
    const selectAlone = async (nth: number) => {
      await press('{Escape}');
      await userEvent.click(await select(nth));
    };
    const refused = 'Confirming 1 order still runs, so nothing else was begun. Begin this after it.';
    const notices = () => getTexts(within(screen.getByRole('log', { name: 'Notices' })).queryAllByText(refused));
    await selectAlone(0);
    await userEvent.click(screen.getByRole('button', { name: 'Ship 1 order' }));
    await screen.findByRole('region', { name: 'Ship 1 order' });
    await userEvent.click(screen.getByRole('button', { name: 'Back to the orders' }));
    await selectAlone(7);
    await userEvent.click(screen.getByRole('button', { name: 'Confirm 1 order' }));
    await waitFor(() => expect(answers).toHaveLength(1));

    await act(() => router.navigate('?panel=orders&batch=ship'));
    await userEvent.type(await screen.findByRole('textbox', { name: `Number of ${number(0)}` }), '81');
    await userEvent.click(screen.getByRole('button', { name: 'Ship 1 order' }));
    expect(notices()).toHaveLength(1);
    expect(screen.getByRole('textbox', { name: `Number of ${number(0)}` })).toHaveProperty('value', '81');

    await act(() => router.navigate('?panel=orders&view=table'));
    for (const [nth, button] of [
      [0, 'Ship 1 order'],
      [8, 'Confirm 1 order'],
    ] as const) {
      await selectAlone(nth);
      await userEvent.click(screen.getByRole('button', { name: button }));
    }
    expect(notices()).toHaveLength(3);
    expect(router.state.location.search).toBe('?panel=orders&view=table');
    await act(() => answers.forEach((answer) => answer()));
    expect(moves(asked)).toHaveLength(1);
  });

  test.each(['first', 'last'])('are shipped by one courier that is named %s, with the numbers that were pasted', async (when) => {
    const { asked, server } = openSiteManager('orders&view=table&next=ship', { orders: packed(3) });
    server.instead = toCommands({ data: {} });
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Select all shown' }));
    await press('s');
    const sheet = await screen.findByRole('region', { name: 'Ship 3 orders' });
    const nameCourier = () => userEvent.type(screen.getByRole('combobox', { name: 'One courier for all' }), 'Blue Dart');
    if (when === 'first') await nameCourier();
    const text = `${number(0)}\tAWB81\n${number(1)}\tAWB82\n${number(2)}\tDelhivery\t83\n`;
    fireEvent.paste(sheet, { clipboardData: { getData: () => text } });
    expect(await screen.findByText('3 of 3 have a number.')).toBeInstanceOf(HTMLElement);
    if (when === 'last') await nameCourier();
    await userEvent.click(screen.getByRole('button', { name: 'Ship 3 orders' }));
    expect(await screen.findByText('3 of 3 done.')).toBeInstanceOf(HTMLElement);
    expect(moves(asked).map(([, body]) => body)).toMatchObject([
      { courier: 'Blue Dart', trackingNumber: 'AWB81' },
      { courier: 'Blue Dart', trackingNumber: 'AWB82' },
      { courier: 'Delhivery', trackingNumber: '83' },
    ]);
  });

  test('keep what was typed to ship them until they are shipped, and the browser asks before it is lost', async () => {
    const { router, server } = openSiteManager('orders&view=table&next=ship', { orders: packed(2) });
    const leave = () => {
      const event = new Event('beforeunload', { cancelable: true });
      window.dispatchEvent(event);
      return event.defaultPrevented;
    };
    const fieldOf = (nth: number) => screen.findByRole('textbox', { name: `Number of ${number(nth)}` });
    const courier = () => screen.getByRole('combobox', { name: 'One courier for all' });
    const kept = '2 orders to ship: what you typed is kept.';
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Select all shown' }));
    await press('s');
    await fieldOf(0);
    expect(leave()).toBe(false);
    fireEvent.change(courier(), { target: { value: 'Delhivery' } });
    fireEvent.change(await fieldOf(0), { target: { value: '81' } });
    expect(leave()).toBe(true);
    await act(() => router.navigate('?panel=tax'));
    await screen.findByRole('region', { name: 'Tax' });
    await act(() => router.navigate('?panel=orders&view=table'));
    const notice = await screen.findByText(kept);
    expect(leave()).toBe(true);
    await userEvent.click(within(notice.parentElement ?? expect.fail()).getByRole('button', { name: 'Show' }));
    expect(await fieldOf(0)).toHaveProperty('value', '81');
    expect(courier()).toHaveProperty('value', 'Delhivery');

    await userEvent.click(screen.getByRole('button', { name: 'Back to the orders' }));
    await userEvent.click(await select(1));
    await press('s');
    await fieldOf(1);
    server.instead = toCommands({ data: {} });
    await userEvent.click(screen.getByRole('button', { name: 'Ship 1 order' }));
    await screen.findByText('1 of 1 done.');
    await act(() => router.navigate('?panel=orders&view=table'));
    await rowOf(0);
    expect(screen.queryByText(kept)).toBeNull();
    expect(leave()).toBe(false);
    await userEvent.click(await select(0));
    await press('s');
    expect(await fieldOf(0)).toHaveProperty('value', '81');
    expect(courier()).toHaveProperty('value', '');
    await userEvent.click(screen.getByRole('button', { name: 'Back to the orders' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Discard' }));
    expect(leave()).toBe(false);
  });

  test('name the row whose link cannot be', async () => {
    const { asked } = openSiteManager('orders&view=table&next=ship', { orders: packed(2) });
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Select all shown' }));
    await press('s');
    await userEvent.type(await screen.findByRole('textbox', { name: `Link for the customer of ${number(1)}` }), 'javascript:alert(1)');
    await userEvent.click(screen.getByRole('button', { name: 'Ship 2 orders' }));
    expect(await screen.findByText(/^1 row cannot be shipped/)).toBeInstanceOf(HTMLElement);
    expect(moves(asked)).toEqual([]);
  });
});

test.each<[string, string, object, number[]]>([
  ['columns in the usual order', 'RH-AAAAAA22\tDelhivery\t77', { courier: 'Delhivery', trackingNumber: '77' }, []],
  ['the number last, in small letters', 'Delhivery,77,rh-aaaaaa22', { courier: 'Delhivery', trackingNumber: '77' }, []],
  ['an empty cell', 'RH-AAAAAA22;;77', { trackingNumber: '77' }, []],
  ['an empty first column', '\tRH-AAAAAA22\tDelhivery\t77', { courier: 'Delhivery', trackingNumber: '77' }, []],
  ['two columns, the tracking number second', 'RH-AAAAAA22\tAWB123', { trackingNumber: 'AWB123' }, []],
  ['two columns, the courier second', 'RH-AAAAAA22\tBlue Dart', { courier: 'Blue Dart' }, []],
  [
    'a tracking number alone beside a link',
    'RH-AAAAAA22\thttps://d.example/7\t77\t',
    { trackingNumber: '77', trackingUrl: 'https://d.example/7' },
    [],
  ],
  ['a link in any place', 'https://d.example/7\tRH-AAAAAA22', { trackingUrl: 'https://d.example/7' }, []],
  ['a heading, blank lines and a stranger', 'Order,Courier\n\nRH-AAAAAA22,X\r\nRH-BBBBBB22,Y', { courier: 'X' }, [4]],
])('a paste is read with %s', (_, text, row, strangers) => {
  const found = parseShipments(text, new Set(['RH-AAAAAA22']));
  expect(found.rows.get('RH-AAAAAA22')).toEqual(row);
  expect(found.strangers.map(({ line }) => line)).toEqual(strangers);
});

test('the rows of a phone have the same marks and actions', async () => {
  openSiteManager('orders&view=table', { orders: [{ ...order({ status: 'pending' }), giftWrap: true }] });
  act(() => mediaThatHold());
  await userEvent.click(await screen.findByRole('button', { name: 'All 1,284' }));
  const row = within(within(await screen.findByRole('list', { name: 'Orders' })).getByRole('listitem'));
  expect(row.getByText('Gift wrap')).toBeInstanceOf(HTMLElement);
  expect(row.getByRole('button', { name: 'Confirm RH-7K3MQ2XA' })).toBeInstanceOf(HTMLElement);
});
