import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { download, enter, moveOrder, placeOrder } from './customers.ts';
import { hasNoFaults, lookAt } from './faults.ts';
import { shop } from './harness.ts';
import { admin } from './servers.ts';

const PROVED = 'This receipt is proved';
const verdict = (page: Page) => page.getByRole('heading', { level: 2 });

test('the receipt that the page of an order saves is proved', async () => {
  const { page, problems } = await shop.visit('phone');
  const { _id, orderNumber } = await placeOrder(page);
  await expect.poll(async () => (await page.request.get(`/api/order/${_id}/receipt`)).status()).toBe(200);
  await page.goto(`/order-confirmed/${_id}`);
  const receipt = page.getByRole('region', { name: 'Receipt' });
  await receipt.scrollIntoViewIfNeeded();
  await lookAt(page, 'receipt');
  await hasNoFaults(page);
  const { name, content } = await download(page, () => receipt.getByRole('button', { name: 'Receipt' }).click());
  expect(name).toBe(`${orderNumber}.tlog-proof`);
  await receipt.getByRole('link', { name: 'verify it' }).click();
  // Its field is there before its script.
  await page.waitForURL('**/verify');
  await page.getByLabel('Choose a receipt').setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(content) });
  await expect.poll(() => verdict(page).textContent()).toBe(PROVED);
  await page.getByText(orderNumber).waitFor();
  expect(problems).toEqual([]);
});

/** The libraries that draw a PDF and read QR codes, as a page loads them. */
const LIBRARIES = new Map([
  ['/pdf.js', import.meta.resolve('unpdf/pdfjs')],
  ['/decode.js', import.meta.resolve('qr/decode.js')],
  ['/index.js', import.meta.resolve('qr')],
]);
const READER = `<!doctype html><title>Paper</title><script type="module">
  import { getDocument } from '/pdf.js';
  import { decodeQR } from '/decode.js';
  Object.assign(window, { getDocument, decodeQR });
</script>`;

/** Opens a page that has these libraries. */
const openReader = async (): Promise<Page> => {
  const { page } = await shop.visit('desktop');
  await page.route('http://paper.test/**', async (route) => {
    const library = LIBRARIES.get(new URL(route.request().url()).pathname);
    if (library === undefined) return route.fulfill({ contentType: 'text/html', body: READER });
    return route.fulfill({ contentType: 'text/javascript', body: await readFile(fileURLToPath(library), 'utf8') });
  });
  await page.goto('http://paper.test/', { waitUntil: 'load' });
  return page;
};

/** What telephones see of a sheet that they photograph whole. */
const DOTS_PER_INCH = 200;

/** Draws the first page of a PDF, and reads the QR code in the picture and the addresses of its links. */
const readPaper = (page: Page, pdf: Buffer): Promise<{ readonly code: string; readonly links: readonly string[] }> =>
  page.evaluate(
    async ([encoded, scale]) => {
      const [getDocument, decodeQR] = [Reflect.get(window, 'getDocument'), Reflect.get(window, 'decodeQR')];
      const data = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
      const sheet = await (await getDocument({ data }).promise).getPage(1);
      const viewport = sheet.getViewport({ scale });
      const canvas = new OffscreenCanvas(viewport.width, viewport.height);
      const canvasContext = canvas.getContext('2d');
      await sheet.render({ canvas, canvasContext, viewport }).promise;
      const annotations: { readonly url?: string }[] = await sheet.getAnnotations();
      const code: string = decodeQR(canvasContext?.getImageData(0, 0, canvas.width, canvas.height));
      return { code, links: annotations.flatMap(({ url }) => url ?? []) };
    },
    [pdf.toString('base64'), DOTS_PER_INCH / 72] as const,
  );

let desk: Page;
beforeAll(async () => {
  desk = (await shop.visit('desktop', 'newcomer')).page;
  await enter(desk, admin);
});

test('the QR code of a printed invoice is read, and proves the invoice', async () => {
  const { page } = await shop.visit('phone');
  const order = await placeOrder(page, { products: { 'ruh-gulab': 1, 'oud-saffron-majlis': 2 } });
  await moveOrder(desk, order, 'confirmed', 'shipped');
  const reader = await openReader();
  const read = async () => {
    const pdf = await page.request.get(`/api/order/${order._id}/invoice.pdf`);
    return { pdf, ...(await readPaper(reader, await pdf.body())) };
  };
  // On a busy machine the invoice and its proof come later than a request waits for them.
  await expect.poll(async () => (await read()).links).toHaveLength(1);
  const { pdf, code, links } = await read();
  expect(pdf.status()).toBe(200);
  expect(links).toEqual([code]);
  expect(code.length).toBeLessThanOrEqual(2_000);
  const [, number] = /filename="(RH-\d\d-\d\d-\d{6})\.pdf"/.exec(pdf.headers()['content-disposition'] ?? '') ?? [];
  await page.goto(code, { waitUntil: 'load' });
  await expect.poll(() => verdict(page).textContent()).toBe(PROVED);
  await page.getByText(number?.replace(/^RH-(\d\d-\d\d)-/, 'RH/$1/') ?? '').waitFor();
});
