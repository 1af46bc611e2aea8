import { act, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { StockView } from '#domain/stock/view.ts';
import { orderId } from '#domain/shared/ids.ts';
import { instant } from '#domain/shared/time.ts';
import { getDescription, getTexts, write } from '../../../testing/interactions.ts';
import type { Answer } from '../../../testing/shop.tsx';
import { at, FakeLive, openDialog, openSiteManager, toCommands } from '../testing/open-site-manager.tsx';
import { product, stockOf } from '../testing/shop-data.ts';
import type { StockChange } from '../admin-types.ts';

const NAME = 'Oud Saffron Majlis';
const URL = '/admin/stock/oud-saffron-majlis';
const change = (changes: Partial<StockChange>): StockChange => ({
  at: instant('2026-11-21T06:30:00.000Z'),
  kind: 'counted',
  quantity: 48,
  by: 'Kavya',
  ...changes,
});

/** Every command fails with `refusal`, if given; otherwise the product has `after` from then on. */
const openStock = async (stock: StockView | null, after = stock, refusal?: Answer, history: StockChange[] = []) => {
  const opened = openSiteManager('products', { products: [product({ stock })], history });
  const { server } = opened;
  server.instead = toCommands(() => {
    if (refusal) return refusal;
    server.products = [product({ stock: after })];
    return { data: { stock: after } };
  });
  const dialog = await openDialog(`Stock of ${NAME}`);
  await dialog.findByRole('region', { name: 'History' });
  const sent = () => opened.asked.filter(({ url, body }) => url === URL && body !== undefined).map(({ body }) => body);
  return { ...opened, dialog, sent };
};
type Dialog = Awaited<ReturnType<typeof openDialog>>;
/** Presses the button that sends the task, which has the name of the task itself. */
const send = (dialog: Dialog, name: string) => userEvent.click(dialog.getAllByRole('button', { name }).at(-1) ?? expect.fail('no button'));
/** Asks for three bottles to be removed because they are broken. */
const removeThree = async (dialog: Dialog) => {
  await choose(dialog, 'Remove');
  write(dialog.getByRole('textbox', { name: 'Bottles removed' }), '3');
  write(dialog.getByRole('textbox', { name: 'Reason' }), 'Broken');
  await send(dialog, 'Remove');
};
const choose = (dialog: Dialog, name: string) =>
  userEvent.click(within(dialog.getByRole('group', { name: 'What to do' })).getByRole('button', { name }));

test('the product table shows the stock of counted products, marks low stock, and updates when the server announces a change', async () => {
  const { server } = openSiteManager('products', {
    products: [
      product({ stock: stockOf(48, 3, 4) }),
      product({ name: 'Ruh Khus', stock: stockOf(6, 2, 4) }),
      product({ name: 'Ruh Kewra', stock: stockOf(2, 2), inStock: false }),
      product({ name: 'Ruh Gulab' }),
    ],
  });
  const cells = async () => {
    await screen.findByRole('button', { name: 'Stock of Ruh Gulab' });
    return screen
      .getAllByRole('row')
      .slice(1)
      .map((row) => within(row).getAllByRole('cell')[3]?.textContent);
  };
  expect(await cells()).toEqual([
    '45 available48 on hand, 3 reserved',
    '4 availableLow6 on hand, 2 reserved',
    'None available2 on hand, 2 reserved',
    'YesNot counted',
  ]);
  server.products = [product({ stock: stockOf(48, 4) }), product({ name: 'Ruh Gulab' })];
  act(() => FakeLive.latest?.push('products'));
  await waitFor(async () => expect(await cells()).toEqual(['44 available48 on hand, 4 reserved', 'YesNot counted']));
});

test('the stock dialog of a product takes the first count', async () => {
  const { dialog, sent } = await openStock(null, stockOf(48));
  expect(dialog.getByText(/^Not counted/)).toBeInstanceOf(HTMLElement);
  expect(dialog.getByText('It was never counted.')).toBeInstanceOf(HTMLElement);
  expect(dialog.queryByRole('group', { name: 'What to do' })).toBeNull();
  write(dialog.getByRole('textbox', { name: 'Bottles there are' }), '48');
  await userEvent.click(dialog.getByRole('button', { name: 'Start Counting' }));
  expect(await dialog.findByText('48 bottles counted.')).toBeInstanceOf(HTMLElement);
  expect(await dialog.findByText('48 on hand, 0 reserved for orders, 48 available.')).toBeInstanceOf(HTMLElement);
  expect(sent()).toEqual([{ count: 48 }]);
});

test.each<[string, Record<string, string>, string, unknown, string]>([
  ['Receive', { 'Bottles received': '12' }, 'Receive', { received: 12 }, '12 bottles received.'],
  ['Remove', { 'Bottles removed': '1', Reason: ' Broken ' }, 'Remove', { removed: 1, reason: 'Broken' }, '1 bottle removed.'],
  ['Stocktake', { 'Bottles there are': ' 0 ' }, 'Save Count', { count: 0 }, '0 bottles counted.'],
  ['Low mark', { 'Low from so few available on': '6' }, 'Save Mark', { lowAt: 6 }, 'Listed as low from 6 available on.'],
  ['Low mark', { 'Low from so few available on': '' }, 'Save Mark', { lowAt: null }, 'It is never listed as low.'],
])('the stock dialog of a product sends the task %s: %j', async (task, typed, button, body, said) => {
  const { dialog, sent, onProductsChanged } = await openStock(stockOf(48, 3, 4), stockOf(40, 3));
  await choose(dialog, task);
  for (const [label, text] of Object.entries(typed)) {
    write(dialog.getByRole('textbox', { name: new RegExp(`^${label}`) }), text);
  }
  await send(dialog, button);
  expect(await dialog.findByText(said)).toBeInstanceOf(HTMLElement);
  expect(await dialog.findByText('40 on hand, 3 reserved for orders, 37 available.')).toBeInstanceOf(HTMLElement);
  expect(sent()).toEqual([body]);
  expect(onProductsChanged).toHaveBeenCalledOnce();
});

test('the stock dialog of a product stops counting, after an explanation of the consequence', async () => {
  const { dialog, sent } = await openStock(stockOf(48), null);
  await choose(dialog, 'Stop counting');
  expect(dialog.getByText(/^It stays in stock until/)).toBeInstanceOf(HTMLElement);
  await userEvent.click(dialog.getByRole('button', { name: 'Stop Counting' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(sent()).toEqual([{ count: null }]);
  expect(getTexts(screen.getAllByRole('status'))).toContain(`${NAME} is no longer counted`);
});

test.each<[string, string, string, string]>([
  ['Receive', 'Receive', '0', 'A whole number from 1 to 10,00,000'],
  ['Receive', 'Receive', '1.5', 'A whole number from 1 to 10,00,000'],
  ['Remove', 'Remove', '', 'Required'],
  ['Stocktake', 'Save Count', '-1', 'A whole number from 0 to 10,00,000'],
  ['Stocktake', 'Save Count', '', 'Required'],
  ['Low mark', 'Save Mark', '1000001', 'A whole number from 0 to 10,00,000'],
])('the stock dialog of a product does not send the task %s (%s) with %j', async (task, button, text, error) => {
  const { dialog, sent } = await openStock(stockOf(48));
  await choose(dialog, task);
  const input = dialog.getAllByRole('textbox')[0] ?? expect.fail('no field');
  write(input, text);
  await send(dialog, button);
  expect(await dialog.findAllByText(error)).not.toEqual([]);
  expect(document.activeElement).toBe(input);
  expect(sent()).toEqual([]);
});

test('the stock dialog of a product shows under the number that the stock is too low, and keeps the typed text', async () => {
  const refusal = { status: 409, data: { message: 'Only 2 available', code: 'stock_too_low' } };
  const { dialog } = await openStock(stockOf(48), undefined, refusal);
  await removeThree(dialog);
  const input = dialog.getByRole('textbox', { name: 'Bottles removed' });
  await waitFor(() => expect(getDescription(input)).toBe('Only 2 available'));
  expect(dialog.getAllByText('Only 2 available')).toHaveLength(1);
  expect(input).toHaveProperty('value', '3');
});

test.each<[number, unknown, string]>([
  [400, { message: 'Please correct the marked fields', errors: { reason: 'Not this' } }, 'Not this'],
  [404, { message: 'Product not found' }, 'Product not found'],
  [502, {}, 'The stock could not be changed. Try again: nothing is booked twice.'],
])('the stock dialog of a product shows a refusal with %s', async (status, data, shown) => {
  const { dialog } = await openStock(stockOf(48), undefined, { status, data });
  await removeThree(dialog);
  expect(await dialog.findByText(shown)).toBeInstanceOf(HTMLElement);
});

test('the stock dialog of a product shows the history, newest first: kind, number, time, reason, person and a link to the order', async () => {
  const id = orderId('00000000-0000-4000-8000-000000000001');
  const { dialog } = await openStock(stockOf(45), undefined, undefined, [
    change({ kind: 'reserved', quantity: 2, by: 'The shopper', orderId: id }),
    change({ kind: 'removed', quantity: 1, reason: 'Broken', at: instant('2026-11-20T06:30:00.000Z') }),
    ...Array.from({ length: 60 }, () => change({})),
  ]);
  const items = () => within(dialog.getByRole('region', { name: 'History' })).getAllByRole('listitem');
  expect(getTexts(items()).slice(0, 3)).toEqual([
    'Reserved 221 Nov 2026, 12:00The shopper · Order of 21 Nov 2026, 12:00',
    'Removed 120 Nov 2026, 12:00BrokenKavya',
    'Counted 4821 Nov 2026, 12:00Kavya',
  ]);
  expect(dialog.getByRole('link', { name: /^Order/ }).getAttribute('href')).toBe(`/audit?order=${id}`);
  expect(items()).toHaveLength(50);
  await userEvent.click(dialog.getByRole('button', { name: 'Show earlier changes' }));
  expect(items()).toHaveLength(62);
  expect(document.activeElement).toBe(dialog.getByText('Showing 62 of 62'));
});

test('the stock dialog of a product offers a retry when the stock could not be loaded', async () => {
  const { server } = openSiteManager('products', { products: [product({ stock: stockOf(48) })] });
  server.instead = at(URL, { status: 502, data: {} });
  const dialog = await openDialog(`Stock of ${NAME}`);
  expect(await dialog.findByText('The stock could not be loaded. Check your connection.')).toBeInstanceOf(HTMLElement);
  server.instead = () => undefined;
  await userEvent.click(dialog.getByRole('button', { name: 'Try again' }));
  expect(await dialog.findByText('48 on hand, 0 reserved for orders, 48 available.')).toBeInstanceOf(HTMLElement);
});

test('the form of a counted product does not set whether it is in stock, and shows where that is done', async () => {
  const { asked } = openSiteManager('products', {
    products: [product({ stock: stockOf(48) })],
    instead: toCommands({ data: product({ stock: stockOf(48) }) }),
  });
  const dialog = await openDialog(`Edit ${NAME}`);
  const inStock = dialog.getByRole('switch', { name: 'In stock' });
  expect(inStock).toMatchObject({ disabled: true, checked: true });
  expect(getDescription(inStock)).toBe('Counted: 48 on hand, 48 to sell. Change them in the panel Stock.');
  write(dialog.getByRole('textbox', { name: /^Tag/ }), 'Bestseller!');
  await userEvent.click(dialog.getByRole('button', { name: 'Save Product' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(asked.filter(({ url, body }) => url.startsWith('/product/') && body !== undefined).map(({ body }) => body)).toEqual([
    { tag: 'Bestseller!', expectedRevision: 3 },
  ]);
});
