import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import * as files from '../../../lib/save-file.ts';
import { at, FakeLive, getRowTexts, openSiteManager, toCommands } from '../testing/open-site-manager.tsx';
import { product, stockOf } from '../testing/shop-data.ts';

const IMPORT = '/admin/stock/import';
const three = [
  product({ name: 'Ruh Khus', stock: stockOf(48, 3, 4) }),
  product({ name: 'Ruh Kewra', stock: stockOf(6, 2, 4) }),
  product({ name: 'Ruh Gulab' }),
];
const panel = () => within(screen.getByRole('region', { name: 'Stock' }));
const rows = async () => {
  await screen.findAllByRole('button', { name: /^History of/ });
  return getRowTexts(panel());
};
const field = (name: string, of = 'On hand') => screen.getByRole<HTMLInputElement>('textbox', { name: `${of}, ${name}` });
const foot = () => panel().getByText(/to mend/);

test('the stock panel lists all products with their bottles, and updates when the server announces a change', async () => {
  const { server } = openSiteManager('stock', { products: three });
  expect(await rows()).toEqual([
    'Ruh Khus345For sale21 Nov 2026, MiraHistory',
    'Ruh Kewra24Low21 Nov 2026, MiraHistory',
    'Ruh GulabNot counted, for saleHistory',
  ]);
  expect([field('Ruh Khus').value, field('Ruh Khus', 'Warn at').value, field('Ruh Gulab').value]).toEqual(['48', '4', '']);
  server.products = [product({ name: 'Ruh Khus', stock: stockOf(0) })];
  act(() => FakeLive.latest?.push('products'));
  await waitFor(async () => expect(await rows()).toEqual(['Ruh Khus00Out of stock21 Nov 2026, MiraHistory']));
});

test.each([
  [/^Counted/, ['Ruh Khus', 'Ruh Kewra'], 'counted'],
  [/^Low/, ['Ruh Kewra'], 'low'],
  [/^Not counted/, ['Ruh Gulab'], 'uncounted'],
])('the stock panel has the list %s', async (name, found, list) => {
  const { asked } = openSiteManager('stock', { products: three });
  await userEvent.click(await screen.findByRole('button', { name }));
  await waitFor(async () => expect((await rows()).map((text) => found.find((each) => text?.startsWith(each)))).toEqual(found));
  expect(asked.findLast(({ url }) => url === '/admin/stock')?.params).toMatchObject({ list, limit: 40 });
});

test('a stocktake is typed into the table, seen together and booked in one call; a fault stays in its row', async () => {
  const { server, asked, onProductsChanged } = openSiteManager('stock', {
    products: [...three, product({ name: 'Shamama', stock: stockOf(9) })],
  });
  await rows();
  await userEvent.clear(field('Ruh Khus'));
  await userEvent.type(field('Ruh Khus'), '46{Enter}');
  expect(document.activeElement).toBe(field('Ruh Kewra'));
  await userEvent.keyboard('1{Enter}40{Enter}');
  fireEvent.change(field('Shamama', 'Warn at'), { target: { value: '3' } });
  expect(await rows()).toEqual([
    'Ruh Khus−2343For sale21 Nov 2026, MiraHistory',
    'Ruh Kewra242 are reserved; it cannot be fewer21 Nov 2026, MiraHistory',
    'Ruh Gulabbegins040For saleHistory',
    'Shamama09For sale21 Nov 2026, MiraHistory',
  ]);
  expect(foot().textContent).toBe('3 differences, 1 to mend.');

  const sent = () => asked.filter(({ url }) => url === IMPORT).map(({ params, file: csv }) => [params, csv]);
  // The shop finds a fault that the page could not know.
  server.instead = at(IMPORT, { status: 400, data: { message: 'Nothing was booked.', errors: { 'line 2, count': '47 are reserved' } } });
  await userEvent.click(screen.getByRole('button', { name: 'See the differences' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Two differences' }));
  expect(getRowTexts(dialog)).toEqual(['Ruh GulabNot counted40begins', 'Shamama, warn atnever3 bottles']);
  expect(dialog.getByText(/From now on Ruh Gulab is for sale only while/).textContent).toContain('Ruh Khus and Ruh Kewra are not in it');
  server.instead = (call) => at(IMPORT, { data: counts })(call) ?? toCommands({ data: { stock: stockOf(9, 0, 3) } })(call);
  await userEvent.click(dialog.getByRole('button', { name: 'Book two products' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(sent()).toEqual([
    [{ dryRun: true }, 'productId,count\r\nruh-khus,46\r\nruh-gulab,40\r\n'],
    [{}, 'productId,count\r\nruh-gulab,40\r\n'],
  ]);
  expect(asked.findLast(({ url }) => url === '/admin/stock/shamama')?.body).toEqual({ lowAt: 3 });
  expect(onProductsChanged).toHaveBeenCalledOnce();
  expect((await rows())[0]).toBe('Ruh Khus34547 are reserved21 Nov 2026, MiraHistory');
  await userEvent.click(screen.getByRole('button', { name: 'Discard' }));
  expect(screen.queryByRole('button', { name: 'See the differences' })).toBeNull();
});

test('a stocktake of thirty products takes three clicks', async () => {
  const products = Array.from({ length: 30 }, (_, index) => product({ name: `Attar ${String(index).padStart(2, '0')}` }));
  const { asked } = openSiteManager('stock', { products, instead: at(IMPORT, { data: counts }) });
  await rows();
  let clicks = 0;
  const click = async (element: Element) => {
    clicks += 1;
    await userEvent.click(element);
  };
  await click(field('Attar 00'));
  for (let nth = 1; nth <= 30; nth++) {
    fireEvent.change(document.activeElement ?? document.body, { target: { value: String(nth) } });
    fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Enter' });
  }
  await click(screen.getByRole('button', { name: 'See the differences' }));
  await click(await screen.findByRole('button', { name: 'Book 30 products' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(asked.findLast(({ url }) => url === IMPORT)?.file?.split('\r\n')).toHaveLength(32);
  expect(clicks).toBe(3);
});

test('a stocktake keeps what was typed when it cannot be booked', async () => {
  const { server } = openSiteManager('stock', { products: three, instead: at(IMPORT, { data: counts }) });
  await rows();
  fireEvent.change(field('Ruh Gulab'), { target: { value: '5' } });
  await userEvent.click(screen.getByRole('button', { name: 'See the differences' }));
  server.instead = at(IMPORT, { status: 503, data: { message: 'The log does not answer' } });
  await userEvent.click(await screen.findByRole('button', { name: 'Book one product' }));
  expect((await screen.findByRole('alert')).textContent).toBe('The log does not answer');
  await userEvent.click(screen.getByRole('button', { name: 'Back to the table' }));
  expect(field('Ruh Gulab').value).toBe('5');
});

test('counts that were booked are not booked again when a low mark is refused', async () => {
  const { server, asked } = openSiteManager('stock', { products: three, instead: at(IMPORT, { data: counts }) });
  await rows();
  fireEvent.change(field('Ruh Gulab'), { target: { value: '5' } });
  fireEvent.change(field('Ruh Khus', 'Warn at'), { target: { value: '9' } });
  await userEvent.click(screen.getByRole('button', { name: 'See the differences' }));
  const refusal = toCommands({ status: 503, data: { message: 'The log does not answer' } });
  server.instead = (call) => at(IMPORT, { data: counts })(call) ?? refusal(call);
  await userEvent.click(await screen.findByRole('button', { name: 'Book two products' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.getAllByText('Booked, but not these low marks. Ruh Khus: The log does not answer')).not.toEqual([]);
  expect(screen.queryByRole('button', { name: 'See the differences' })).toBeNull();
  expect(asked.filter(({ url, params }) => url === IMPORT && !params['dryRun'])).toHaveLength(1);
});

test('what was typed is still there when the panel was left, and the browser asks before it is lost', async () => {
  const { router } = openSiteManager('stock', { products: three });
  await rows();
  const leave = () => {
    const event = new Event('beforeunload', { cancelable: true });
    window.dispatchEvent(event);
    return event.defaultPrevented;
  };
  expect(leave()).toBe(false);
  fireEvent.change(field('Ruh Gulab'), { target: { value: '5' } });
  expect(leave()).toBe(true);
  await act(() => router.navigate('?panel=tax'));
  await screen.findByRole('region', { name: 'Tax' });
  await act(() => router.navigate('?panel=stock'));
  await rows();
  expect(field('Ruh Gulab').value).toBe('5');
  expect(panel().getByText('1 difference.')).toBeInstanceOf(HTMLElement);
});

test('the sidebar counts what is low', async () => {
  openSiteManager('', { products: three });
  expect(await screen.findByRole('link', { name: 'Stock 1 low' })).toBeInstanceOf(HTMLElement);
});

test('the stock panel saves a template of all products on all pages', async () => {
  const save = vi.spyOn(files, 'saveFile').mockReturnValue();
  const products = Array.from({ length: 201 }, (_, index) =>
    product({ name: `Attar ${index}`, stock: index === 0 ? null : stockOf(index, 0) }),
  );
  const { server } = openSiteManager('stock', { products });
  await userEvent.click(screen.getByRole('button', { name: 'Template' }));
  await waitFor(() => expect(save).toHaveBeenCalledOnce());
  const [name, , [text]] = save.mock.calls[0] ?? expect.fail('nothing was saved');
  expect(name).toBe('counts.csv');
  expect(text?.split('\r\n').slice(0, 3)).toEqual(['productId,count,name', 'attar-0,,Attar 0', 'attar-1,1,Attar 1']);
  expect(text?.trim().split('\r\n')).toHaveLength(202);
  server.instead = ({ url, params }) => (url === '/admin/stock' && params['limit'] === 200 ? { status: 502, data: {} } : undefined);
  await userEvent.click(await screen.findByRole('button', { name: 'Template' }));
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
const openImport = (answer = counts) => {
  const opened = openSiteManager('stock', { products: three, instead: at(IMPORT, { data: answer }) });
  return { ...opened, sent: () => opened.asked.filter(({ url }) => url === IMPORT).map(({ params }) => params) };
};
const choose = async () => {
  await userEvent.click(await screen.findByRole('button', { name: 'From a file' }));
  await userEvent.upload(await screen.findByLabelText('File of counts'), file);
};
const lines = () => getRowTexts(within(screen.getByRole('table', { name: 'Lines of the file' })));

test('a file of counts is checked first: each line shows the previous count, and nothing is booked', async () => {
  const { sent, onProductsChanged } = openImport();
  await choose();
  expect(await screen.findByText('november.csv would change 2 counts. 1 would stay.')).toBeInstanceOf(HTMLElement);
  await waitFor(() =>
    expect(lines()).toEqual(['2Ruh Khus ruh-khus4840', '3Ruh Gulab ruh-gulabNot counted12', '4Ruh Kewra ruh-kewra6Stays']),
  );
  expect(sent()).toEqual([{ dryRun: true }]);
  expect(onProductsChanged).not.toHaveBeenCalled();
});

test('a file of counts is booked; then its result is shown, and the list is refetched', async () => {
  const { sent, asked, onProductsChanged } = openImport();
  await choose();
  await screen.findByRole('button', { name: /^Book/ });
  const listed = () => asked.filter(({ url }) => url === '/admin/stock').length;
  const before = listed();
  await userEvent.click(screen.getByRole('button', { name: /^Book/ }));
  expect(await screen.findByText('november.csv is booked: 2 counts changed.')).toBeInstanceOf(HTMLElement);
  expect(sent()).toEqual([{ dryRun: true }, {}]);
  expect(lines()).toHaveLength(3);
  expect(screen.queryByRole('button', { name: /^Book/ })).toBeNull();
  await waitFor(() => expect(listed()).toBe(before + 1));
  expect(onProductsChanged).toHaveBeenCalledOnce();
});

test('a file of counts cannot be booked when it changes nothing', async () => {
  openImport({ changed: 0, unchanged: 1, rows: counts.rows.slice(2) });
  await choose();
  expect(await screen.findByText('Nothing in november.csv changes a count.')).toBeInstanceOf(HTMLElement);
  expect(screen.getByRole('button', { name: /^Book/ })).toHaveProperty('disabled', true);
});
