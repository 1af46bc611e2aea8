import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import { scrollNearTheEnd } from '../../../testing/in-view.ts';
import { at, openDialog, openSiteManager, toCommands } from '../testing/open-site-manager.tsx';
import { product } from '../testing/shop-data.ts';
import { getTexts, write } from '../../../testing/interactions.ts';
import { NO_ANSWER } from '../../../testing/shop.tsx';

const saves = (asked: ReturnType<typeof openSiteManager>['asked']) =>
  asked.filter(({ body }) => body !== undefined).map(({ body }) => body);

type Dialog = Awaited<ReturnType<typeof openDialog>>;
const startEdit = () => openDialog('Edit Oud Saffron Majlis');
const save = (dialog: Dialog) => userEvent.click(dialog.getByRole('button', { name: 'Save Product' }));
const addRuhKhus = async () => {
  const dialog = await openDialog('Add Product');
  write(dialog.getByRole('textbox', { name: 'Product Name' }), 'Ruh Khus');
  await save(dialog);
  return dialog;
};
const toasts = () => getTexts(screen.getAllByRole('status'));
const closes = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

test('the product table has name, price, category and stock', async () => {
  openSiteManager('products', {
    products: [product(), product({ name: 'Ruh Khus', category: 'attar', price: '₹1,650.00', inStock: false })],
  });
  const row = (await screen.findByRole('button', { name: 'Edit Ruh Khus' })).closest('tr');
  expect([...(row?.cells ?? [])].map(({ textContent }) => textContent)).toEqual([
    'Ruh KhusSmoked oud · Kashmiri saffron · rose absolute',
    '₹1,650.00',
    'Attar',
    'NoNot counted',
    'Bestseller',
    'EditStockDelete',
  ]);
  expect(getTexts(screen.getAllByRole('columnheader'))).toEqual(['Name', 'Price', 'Category', 'Stock', 'Shown', 'Actions']);
});

test('the product table is loaded page by page and searched on the server', async () => {
  const { asked } = openSiteManager('products', {
    products: Array.from({ length: 45 }, (_, index) => product({ name: `Perfume ${index}` })),
  });
  expect(await screen.findByText('Perfume 19')).toBeInstanceOf(HTMLElement);
  expect(screen.getByText('Showing 20 of 45')).toBeInstanceOf(HTMLElement);
  act(scrollNearTheEnd);
  expect(await screen.findByText('Perfume 39')).toBeInstanceOf(HTMLElement);
  write(screen.getByRole('searchbox', { name: 'Search products...' }), 'fume 44');
  expect(await screen.findByText('Perfume 44')).toBeInstanceOf(HTMLElement);
  expect(asked.findLast(({ url }) => url === '/product')?.params).toMatchObject({ q: 'fume 44', limit: 20 });
  await userEvent.click(screen.getByRole('button', { name: /^Featured/ }));
  await waitFor(() => expect(asked.findLast(({ url }) => url === '/product')?.params).toMatchObject({ q: 'fume 44', isFeatured: true }));
});

test('products are listed by what is missing, with counts and in the URL', async () => {
  const products = [
    product({ name: 'Ruh Khus', inStock: false }),
    { ...product({ name: 'Ruh Kewra' }), productImageUrl: [] },
    product({ name: 'Ruh Gulab' }),
  ];
  const { router, asked } = openSiteManager('products', { products });
  await userEvent.click(await screen.findByRole('button', { name: 'Out of stock 1' }));
  await waitFor(() => expect(screen.queryByText('Ruh Gulab')).toBeNull());
  expect(screen.getByText('Ruh Khus')).toBeInstanceOf(HTMLElement);
  await userEvent.click(screen.getByRole('button', { name: 'Without a picture 1' }));
  await waitFor(() => expect(screen.queryByText('Ruh Khus')).toBeNull());
  expect(screen.getByText('Ruh Kewra')).toBeInstanceOf(HTMLElement);
  expect(router.state.location.search).toBe('?panel=products&status=withoutPicture');
  expect(asked.findLast(({ url }) => url === '/product')?.params).toMatchObject({ pictured: false });
});

test("adding a product sends the typed values, and drops the shop's cached catalogue", async () => {
  const { asked, onProductsChanged } = openSiteManager('products', {
    instead: ({ url, body }) => (url === '/product' && body !== undefined ? { status: 201, data: product() } : undefined),
  });
  const dialog = await openDialog('Add Product');
  write(dialog.getByRole('textbox', { name: 'Product Name' }), 'Ruh Khus');
  write(dialog.getByRole('textbox', { name: 'Price' }), ' 230.00 ');
  await userEvent.selectOptions(dialog.getByRole('combobox', { name: 'Category' }), 'Attar');
  write(dialog.getByRole('textbox', { name: 'Image URLs' }), 'https://a.example/1.webp, , /pictures/2.webp');
  await userEvent.click(dialog.getByRole('switch', { name: 'Featured' }));
  await save(dialog);
  await closes();
  expect(saves(asked)).toEqual([
    expect.objectContaining({
      name: 'Ruh Khus',
      price: '230.00',
      category: 'attar',
      ratingStar: 0,
      reviewsCount: 0,
      productImageUrl: ['https://a.example/1.webp', '/pictures/2.webp'],
      inStock: true,
      isFeatured: true,
    }),
  ]);
  expect(toasts()).toContain('✅ Product added successfully');
  expect(onProductsChanged).toHaveBeenCalledOnce();
});

test('adding a product uses a form that cannot be closed before the server has answered', async () => {
  openSiteManager('products', { instead: toCommands(NO_ANSWER) });
  const dialog = await addRuhKhus();
  expect(await dialog.findByText('Saving...')).toBeInstanceOf(HTMLElement);
  await userEvent.keyboard('{Escape}');
  for (const name of ['Add nothing', 'Close']) await userEvent.click(dialog.getByRole('button', { name }));
  expect(screen.getByRole('dialog', { name: 'Add Product' })).toBeInstanceOf(HTMLElement);
});

test('adding a product requires a name; the error of a field is shown until it is corrected, and again when it is wrong again', async () => {
  const { asked } = openSiteManager('products');
  const dialog = await openDialog('Add Product');
  write(dialog.getByRole('textbox', { name: 'Rating Star' }), '5.5');
  await save(dialog);
  expect((await dialog.findByRole('alert')).textContent).toBe('Please correct the 2 marked fields.');
  expect(dialog.getByText('Required')).toBeInstanceOf(HTMLElement);
  expect(document.activeElement).toBe(dialog.getByRole('textbox', { name: 'Product Name' }));
  expect(saves(asked)).toEqual([]);
  write(dialog.getByRole('textbox', { name: 'Product Name' }), 'R');
  await waitFor(() => expect(dialog.queryByText('Required')).toBeNull());
  expect(dialog.getByRole('alert').textContent).toBe('Please correct the marked field.');
  await userEvent.type(dialog.getByRole('textbox', { name: 'Rating Star' }), '5');
  expect(dialog.getByText('A number from 0 to 5 in half steps')).toBeInstanceOf(HTMLElement);
  write(dialog.getByRole('textbox', { name: 'Rating Star' }), '');
  await waitFor(() => expect(dialog.queryByRole('alert')).toBeNull());
  write(dialog.getByRole('textbox', { name: 'Product Name' }), '');
  expect(await dialog.findByText('Required')).toBeInstanceOf(HTMLElement);
});

test("adding a product shows the server's refusal as an alert, and keeps the typed values", async () => {
  openSiteManager('products', { instead: toCommands({ status: 503, data: { message: 'The log does not answer' } }) });
  const dialog = await addRuhKhus();
  const alert = await dialog.findByRole('alert');
  expect(alert.textContent).toBe('The log does not answer');
  await userEvent.click(within(alert).getByRole('button', { name: 'Close' }));
  expect(dialog.getByRole('textbox', { name: 'Product Name' })).toHaveProperty('value', 'Ruh Khus');
});

test('adding a product focuses the first field that the server refuses, and marks a refused choice too', async () => {
  const errors = { productImageUrl: 'Not found', tag: 'Taken', category: 'One of oud' };
  openSiteManager('products', {
    instead: toCommands(() => ({ status: 400, data: { message: 'Please correct the marked fields', errors } })),
  });
  const dialog = await addRuhKhus();
  const tag = dialog.getByRole('textbox', { name: /^Tag/ });
  await waitFor(() => expect(document.activeElement).toBe(tag));
  expect(dialog.getByText('One of oud')).toBeInstanceOf(HTMLElement);
  await userEvent.selectOptions(dialog.getByRole('combobox', { name: 'Category' }), 'Attar');
  expect(dialog.queryByText('One of oud')).toBeNull();
  expect(getTexts(dialog.getAllByRole('alert'))).toEqual(['Please correct the 2 marked fields.']);
});

describe('editing a product', () => {
  test('sends only the changed fields, with the revision that was shown', async () => {
    const { asked } = openSiteManager('products', { instead: toCommands({ data: product() }) });
    const dialog = await startEdit();
    const price = dialog.getByRole('textbox', { name: 'Price' });
    write(price, '₹99.00');
    await save(dialog);
    await closes();
    expect(saves(asked)).toEqual([{ price: '₹99.00', expectedRevision: 3 }]);
    expect(toasts()).toContain('Product updated successfully');
  });

  const theirs = product({ price: '₹5,000.00', name: 'Oud Saffron Majlis II', revision: 5 });
  const refusingOnce = () => {
    let isStale = true;
    const stale = { message: 'Somebody else has changed this product meanwhile', code: 'product_changed', current: theirs };
    const answer = () => (isStale ? { status: 409, data: stale } : { data: theirs });
    return openSiteManager('products', {
      instead: toCommands(() => {
        const given = answer();
        isStale = false;
        return given;
      }),
    });
  };
  const editTag = async () => {
    const dialog = await startEdit();
    const tag = dialog.getByRole('textbox', { name: /Tag/ });
    write(tag, 'Limited Edition');
    write(dialog.getByRole('textbox', { name: 'Price' }), '₹4,000.00');
    // Enter submits the form as well.
    fireEvent.submit(tag.closest('form') ?? expect.fail());
    const versions = within(await dialog.findByRole('region', { name: 'Two versions' }));
    return { dialog, versions };
  };

  test("shows both versions after somebody else's edit, and can save one's own changes on top of it", async () => {
    const { asked } = refusingOnce();
    const { versions } = await editTag();
    expect(getTexts(versions.getAllByRole('row'))).toEqual([
      'FieldWhat you wroteWhat it is now',
      'Product NameYou left it as it wasOud Saffron Majlis II',
      'Price₹4,000.00₹5,000.00',
      'TagLimited EditionBestseller',
    ]);
    expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Two versions' }));
    await userEvent.click(versions.getByRole('button', { name: 'Save what I wrote' }));
    await closes();
    expect(saves(asked).at(-1)).toEqual({ price: '₹4,000.00', tag: 'Limited Edition', expectedRevision: 5 });
  });

  test("can take somebody else's edit and change it further", async () => {
    const { asked } = refusingOnce();
    const { dialog, versions } = await editTag();
    await userEvent.click(versions.getByRole('button', { name: 'Take what it is now' }));
    expect(dialog.getByRole('textbox', { name: 'Price' })).toHaveProperty('value', '₹5,000.00');
    expect(document.activeElement).toBe(dialog.getByRole('heading', { name: 'Edit Product' }));
    await userEvent.click(dialog.getByRole('switch', { name: 'In stock' }));
    await save(dialog);
    await closes();
    expect(saves(asked).at(-1)).toEqual({ inStock: false, expectedRevision: 5 });
  });

  test('shows the price history', async () => {
    const prices = [
      { price: '₹3,450.00', since: '2026-11-20T06:30:00.000Z', by: { kind: 'admin', id: 'a1' } },
      { price: '', since: '2026-11-19T06:30:00.000Z', by: { kind: 'system', id: 'seed' } },
    ];
    openSiteManager('products', { instead: at('/product/oud-saffron-majlis/prices', { data: { prices } }) });
    const dialog = await startEdit();
    const rows = await dialog.findAllByRole('row');
    expect(getTexts(rows)).toEqual([
      'PriceSinceSet by',
      '₹3,450.0020 Nov 2026, 12:00An admin',
      'Not for sale19 Nov 2026, 12:00The opening catalogue',
    ]);
  });

  const picture = new File(['x'], 'bottle.png', { type: 'image/png' });
  const UPLOAD = '/product/pictures';
  const UPLOADED = { status: 201, data: { url: '/pictures/uploads/a.webp' } };

  test('adds an uploaded picture, which clears the error of the pictures', async () => {
    const errors = { productImageUrl: 'A product has a picture' };
    const refusal = { status: 400, data: { message: 'Please correct the marked fields', errors } };
    openSiteManager('products', { instead: (call) => at(UPLOAD, UPLOADED)(call) ?? toCommands(refusal)(call) });
    const dialog = await startEdit();
    write(dialog.getByRole('textbox', { name: 'Image URLs' }), '/pictures/1.webp');
    await save(dialog);
    expect(await dialog.findByText('A product has a picture')).toBeInstanceOf(HTMLElement);
    await userEvent.upload(dialog.getByLabelText('Picture file'), picture);
    await waitFor(() => expect(dialog.queryByText('A product has a picture')).toBeNull());
    expect(dialog.getByRole('textbox', { name: 'Image URLs' })).toHaveProperty('value', '/pictures/1.webp, /pictures/uploads/a.webp');
  });

  test('moves its pictures by arrow keys, which the focus follows, and takes one out', async () => {
    const { asked } = openSiteManager('products', { instead: toCommands({ data: product() }) });
    const dialog = await startEdit();
    const addresses = () => dialog.getByRole<HTMLTextAreaElement>('textbox', { name: 'Image URLs' }).value;
    const [first = '', second = ''] = product().productImageUrl;
    const nth = (n: number) => dialog.getByRole('button', { name: `Picture ${n} of 2` });
    nth(2).focus();
    await userEvent.keyboard('{ArrowLeft}');
    expect(addresses()).toBe(`${second}, ${first}`);
    expect(document.activeElement).toBe(nth(1));
    expect(getTexts(dialog.getAllByRole('status'))).toContain('Picture 2 is now number 1');
    await userEvent.keyboard('{ArrowLeft}{End}{Home}{ArrowRight}');
    expect(addresses()).toBe(`${first}, ${second}`);
    await userEvent.click(dialog.getByRole('button', { name: 'Take picture 1 out' }));
    expect(document.activeElement).toBe(dialog.getByRole('button', { name: 'Picture 1 of 1' }));
    expect(dialog.getByText('One field changed')).toBeInstanceOf(HTMLElement);
    await save(dialog);
    await closes();
    expect(saves(asked)).toEqual([{ productImageUrl: [second], expectedRevision: 3 }]);
  });

  test('shows why a picture was refused', async () => {
    const refusal = { status: 400, data: { message: 'This is not a picture that the shop can show.' } };
    openSiteManager('products', { instead: at(UPLOAD, refusal) });
    const dialog = await startEdit();
    await userEvent.upload(dialog.getByLabelText('Picture file'), picture);
    expect((await dialog.findByRole('alert')).textContent).toBe('This is not a picture that the shop can show.');
  });
});

const URL = '/product/oud-saffron-majlis';
const ask = (name = 'Delete Oud Saffron Majlis') => openDialog(name, 'alertdialog');

test('deleting a product asks for confirmation, and sends nothing without it', async () => {
  const { server, asked, onProductsChanged } = openSiteManager('products');
  await userEvent.click((await ask()).getByRole('button', { name: 'Keep product' }));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect(asked.some(({ url }) => url === URL)).toBe(false);
  const dialog = await ask();
  expect(dialog.getByText('Are you sure you want to delete this product?')).toBeInstanceOf(HTMLElement);
  server.instead = at(URL, () => {
    server.products = [];
    return { data: { message: 'Product deleted' } };
  });
  await userEvent.click(dialog.getByRole('button', { name: 'Delete product' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Delete Oud Saffron Majlis' })).toBeNull());
  expect(toasts()).toContain('✅ Product deleted successfully');
  expect(onProductsChanged).toHaveBeenCalledOnce();
});

test('deleting a product uses a dialog that cannot be closed before the server has answered', async () => {
  const { server } = openSiteManager('products');
  const dialog = await ask();
  server.instead = at(URL, NO_ANSWER);
  await userEvent.click(dialog.getByRole('button', { name: 'Delete product' }));
  expect(await dialog.findByText('Deleting...')).toBeInstanceOf(HTMLElement);
  await userEvent.keyboard('{Escape}');
  await userEvent.click(dialog.getByRole('button', { name: 'Keep product' }));
  expect(screen.getByRole('alertdialog', { name: 'Delete Oud Saffron Majlis' })).toBeInstanceOf(HTMLElement);
});

test('deleting a product moves the focus to the next product, or to the heading when it was the last', async () => {
  const { server } = openSiteManager('products', { products: [product(), product({ name: 'Ruh Khus' })] });
  server.instead = ({ url }) => {
    const [, id] = /^\/product\/([a-z-]+)$/.exec(url) ?? [];
    if (id === undefined) return undefined;
    server.products = server.products.filter(({ _id }) => _id !== id);
    return { data: { message: 'Product deleted' } };
  };
  await userEvent.click((await ask()).getByRole('button', { name: 'Delete product' }));
  const next = await screen.findByRole('button', { name: 'Delete Ruh Khus' });
  await waitFor(() => expect(document.activeElement).toBe(next));
  await userEvent.keyboard('{Enter}');
  await userEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Delete product' }));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', { level: 2, name: 'Products' })));
});

test('deleting a product shows a failure when the server does not answer', async () => {
  openSiteManager('products', { instead: at(URL, { status: 502, data: {} }) });
  const dialog = await ask();
  await userEvent.click(dialog.getByRole('button', { name: 'Delete product' }));
  await waitFor(() => expect(toasts()).toContain('❌ Failed to delete'));
});
