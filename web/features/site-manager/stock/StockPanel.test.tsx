import { act, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import * as files from '../../../lib/save-file.ts';
import { at, FakeLive, getRowTexts, openDialog, openSiteManager, toCommands } from '../testing/open-site-manager.tsx';
import { product, stockOf } from '../testing/shop-data.ts';

const three = [
  product({ name: 'Ruh Khus', stock: stockOf(48, 3, 4) }),
  product({ name: 'Ruh Kewra', stock: stockOf(6, 2, 4) }),
  product({ name: 'Ruh Gulab' }),
];
const rows = async () => {
  await screen.findAllByRole('button', { name: /^Stock of/ });
  return getRowTexts(within(screen.getByRole('region', { name: 'Stock' })));
};

test('the stock panel lists the counted products, and updates when the server announces a change', async () => {
  const { server } = openSiteManager('stock', { products: three });
  expect(await rows()).toEqual(['Ruh Khus48345 available4Stock', 'Ruh Kewra624 availableLow4Stock']);
  server.products = [product({ name: 'Ruh Khus', stock: stockOf(0) })];
  act(() => FakeLive.latest?.push('products'));
  await waitFor(async () => expect(await rows()).toEqual(['Ruh Khus00None availableNoneStock']));
});

test('the stock panel lists low stock; a restocked product leaves the list, and the focus stays in it', async () => {
  const { server, asked } = openSiteManager('stock', { products: [...three, product({ name: 'Shamama', stock: stockOf(1, 0, 1) })] });
  await userEvent.click(await screen.findByRole('button', { name: 'Low' }));
  await waitFor(async () => expect(await rows()).toEqual(['Ruh Kewra624 availableLow4Stock', 'Shamama101 availableLow1Stock']));
  expect(asked.findLast(({ url }) => url === '/admin/stock')?.params).toMatchObject({ low: true, limit: 40 });

  server.instead = toCommands(() => {
    server.products = [...three.slice(2), product({ name: 'Shamama', stock: stockOf(1, 0, 1) })];
    return { data: { stock: stockOf(66, 2, 4) } };
  });
  const dialog = await openDialog('Stock of Ruh Kewra');
  await userEvent.type(await dialog.findByRole('textbox', { name: 'Bottles received' }), '60{Enter}');
  await waitFor(async () => expect(await rows()).toEqual(['Shamama101 availableLow1Stock']));
  await userEvent.keyboard('{Escape}');
  const next = screen.getByRole('button', { name: 'Stock of Shamama' });
  await waitFor(() => expect(document.activeElement).toBe(next));
});

test('the stock panel saves the counts of all pages as a file that can be imported', async () => {
  const save = vi.spyOn(files, 'saveFile').mockReturnValue();
  const products = Array.from({ length: 201 }, (_, index) => product({ name: `Attar ${index}`, stock: stockOf(index, 0) }));
  const { server } = openSiteManager('stock', { products });
  await userEvent.click(screen.getByRole('button', { name: 'Download Counts' }));
  await waitFor(() => expect(save).toHaveBeenCalledOnce());
  const [name, , [text]] = save.mock.calls[0] ?? expect.fail('nothing was saved');
  expect(name).toBe('counts.csv');
  expect(text?.split('\r\n').slice(0, 3)).toEqual(['productId,count', 'attar-0,0', 'attar-1,1']);
  expect(text?.trim().split('\r\n')).toHaveLength(202);
  server.instead = ({ url, params }) => (url === '/admin/stock' && params['limit'] === 200 ? { status: 502, data: {} } : undefined);
  await userEvent.click(await screen.findByRole('button', { name: 'Download Counts' }));
  expect((await screen.findByRole('alert')).textContent).toContain('The counts could not be loaded');
});

const file = new File(['productId,count\r\nruh-khus,40\r\n'], 'november.csv', { type: 'text/csv' });
const counts = {
  changed: 2,
  unchanged: 1,
  rows: [
    { line: 2, productId: 'ruh-khus', before: 48, after: 40 },
    { line: 3, productId: 'ruh-gulab', before: null, after: 12 },
    { line: 4, productId: 'ruh-kewra', before: 6, after: 6 },
  ],
};
const IMPORT = '/admin/stock/import';
const openImport = (answer = counts) => {
  const opened = openSiteManager('stock', { products: three, instead: at(IMPORT, { data: answer }) });
  return { ...opened, sent: () => opened.asked.filter(({ url }) => url === IMPORT).map(({ params }) => params) };
};
const choose = async () => userEvent.upload(await screen.findByLabelText('File of counts'), file);
const lines = () => getRowTexts(within(screen.getByRole('table', { name: 'Lines of the file' })));

test('a file of counts is checked first: each line shows the previous count, and nothing is booked', async () => {
  const { sent, onProductsChanged } = openImport();
  await choose();
  expect(await screen.findByText('november.csv would change 2 counts. 1 would stay.')).toBeInstanceOf(HTMLElement);
  expect(lines()).toEqual(['2ruh-khus4840', '3ruh-gulabNot counted12', '4ruh-kewra6Stays']);
  expect(sent()).toEqual([{ dryRun: true }]);
  expect(onProductsChanged).not.toHaveBeenCalled();
});

test('a file of counts is booked; then its result is shown, and the list is refetched', async () => {
  const { sent, asked, onProductsChanged } = openImport();
  await choose();
  await screen.findByRole('button', { name: 'Book it' });
  const listed = () => asked.filter(({ url }) => url === '/admin/stock').length;
  const before = listed();
  await userEvent.click(screen.getByRole('button', { name: 'Book it' }));
  expect(await screen.findByText('november.csv is booked: 2 counts changed.')).toBeInstanceOf(HTMLElement);
  expect(sent()).toEqual([{ dryRun: true }, {}]);
  expect(lines()).toHaveLength(3);
  expect(screen.queryByRole('button', { name: 'Book it' })).toBeNull();
  await waitFor(() => expect(listed()).toBe(before + 1));
  expect(onProductsChanged).toHaveBeenCalledOnce();
});

test('a file of counts cannot be booked when it changes nothing', async () => {
  openImport({ changed: 0, unchanged: 1, rows: counts.rows.slice(2) });
  await choose();
  expect(await screen.findByText('Nothing in november.csv changes a count.')).toBeInstanceOf(HTMLElement);
  expect(screen.getByRole('button', { name: 'Book it' })).toHaveProperty('disabled', true);
});
