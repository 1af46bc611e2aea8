import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { deflateRawSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { placeOrder } from './customers.ts';
import { hasNoFaults, lookAt } from './faults.ts';
import { shop, type Screen } from './harness.ts';

const LARGEST = 61_440;
const VECTORS = path.resolve('api/transparency/vectors');
const KEYS = /(<script type="application\/json" id="policy">)[^<]*/;

type Index = {
  readonly policy: { readonly logs: readonly string[]; readonly witnesses: readonly string[] };
  readonly vectors: readonly { readonly file: string; readonly valid: boolean; readonly reason?: string }[];
};

const vector = (file: string): string => path.join(VECTORS, file);
const ORDER = vector('valid-order.tlog-proof');
const FORGED = vector('chain-price-changed.tlog-proof');

let folder: string;
let saved: string;
let index: Index;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'ruhani-verify-'));
  index = JSON.parse(await readFile(vector('index.json'), 'utf8'));
  const served = await (await fetch(new URL('/verify', shop.url))).text();
  const file = path.join(folder, 'verify.html');
  await writeFile(
    file,
    served.replace(KEYS, (_, tag: string) => tag + JSON.stringify(index.policy)),
  );
  saved = pathToFileURL(file).href;
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const verdict = (page: Page) => page.getByRole('heading', { level: 2 });
const PROVED = 'This receipt is proved';
const NOT_PROVED = 'This receipt is not proved';
const row = (page: Page, name: string) => page.getByRole('row', { name }).innerText();

/** Opens the page as it was saved, without a network. */
const openSaved = async (screen: Screen = 'desktop', fragment = '') => {
  const { page, problems } = await shop.visit(screen);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.context().setOffline(true);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(saved + fragment, { waitUntil: 'load' });
  return { page, problems, asked };
};

const choose = (page: Page, file: string) => page.getByLabel('Choose a receipt').setInputFiles(file);

/** Drops a file on the page, as from the desktop. */
const drop = async (page: Page, file: string): Promise<void> => {
  const dropped = await page.evaluateHandle(
    (text) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([text], 'receipt.tlog-proof'));
      return transfer;
    },
    await readFile(file, 'utf8'),
  );
  await page.dispatchEvent('main', 'drop', { dataTransfer: dropped });
};

const toFragment = async (file: string): Promise<string> => `#${deflateRawSync(await readFile(file)).toString('base64url')}`;

describe('the page that verifies receipts, saved to disk', () => {
  test.each<Screen>(['phone', 'desktop'])('says what a chosen receipt proves, and asks no network, on a %s', async (screen) => {
    const { page, problems, asked } = await openSaved(screen);
    await hasNoFaults(page);
    await choose(page, ORDER);
    await expect.poll(() => verdict(page).textContent()).toBe(PROVED);
    expect(await page.title()).toBe('This receipt is proved · RUHANI');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(PROVED);
    expect(await page.getByRole('definition').allInnerTexts()).toEqual([
      'RH-4WPDX9CT',
      '₹11,072.00',
      'cash on delivery',
      'ruhani.example/log',
      'entry 256 of 300',
      'edac54aa',
    ]);
    expect(await row(page, 'Oud Saffron Majlis')).toMatch(/2\s+₹3,450.00\s+₹6,900.00/);
    expect(await row(page, 'Gift wrap')).toContain('₹39.00');
    expect(await row(page, 'Order shipped')).toContain('14 November 2026');
    expect(await row(page, 'witness.example/east')).toContain('14 November 2026');
    await lookAt(page, `receipt-proved-${screen}`);
    expect(asked).toEqual([saved]);
    expect(problems).toEqual([]);
  });

  test('takes a dropped receipt, and says why a forged one is not proved', async () => {
    const { page, problems } = await openSaved();
    await drop(page, ORDER);
    await expect.poll(() => verdict(page).textContent()).toBe(PROVED);
    await drop(page, FORGED);
    await expect.poll(() => verdict(page).textContent()).toBe(NOT_PROVED);
    await page.getByText('Event 1 in it was changed').waitFor();
    expect(await page.getByRole('definition').innerText()).toBe('chain');
    expect(await page.getByRole('table').count()).toBe(0);
    await lookAt(page, 'receipt-not-proved');
    expect(problems).toEqual([]);
  });

  test('says so when a file cannot be read, and leaves no former verdict standing', async () => {
    const { page, problems } = await openSaved();
    await choose(page, ORDER);
    await expect.poll(() => verdict(page).textContent()).toBe(PROVED);
    await page.evaluate(() => {
      const folder = { slice: () => ({ arrayBuffer: () => Promise.reject(new Error('It is a folder')) }) };
      dispatchEvent(Object.assign(new Event('drop'), { dataTransfer: { files: [folder] } }));
    });
    await expect.poll(() => verdict(page).textContent()).toBe(NOT_PROVED);
    await page.getByText('This file cannot be read.').waitFor();
    expect(problems).toEqual([]);
  });

  test("takes an invoice's proof in its fragment, and no other text there", async () => {
    const link = await toFragment(vector('valid-invoice-at-the-start-of-the-log.tlog-proof'));
    expect(link.length).toBeLessThan(2_000);
    const { page, problems } = await openSaved('phone', link);
    await expect.poll(() => verdict(page).textContent()).toBe(PROVED);
    expect(await page.getByRole('definition').first().innerText()).toBe('RH/26-27/000001');
    await lookAt(page, 'invoice-proved');
    const large = deflateRawSync(Buffer.alloc(50_000_000)).toString('base64url');
    for (const fragment of ['#hello', `${link}AA`, `#${large}`, '#%00', `${link}=`]) {
      await page.evaluate((hash) => {
        document.querySelector('#result')?.replaceChildren();
        location.hash = hash;
      }, fragment);
      await expect.poll(() => verdict(page).textContent()).toBe(NOT_PROVED);
      expect(await page.getByRole('definition').innerText()).toBe('malformed');
    }
    expect(problems).toEqual([]);
  });

  test('says of every published vector what its index says', async () => {
    const { page, problems } = await openSaved();
    for (const { file, reason } of index.vectors) {
      await page.evaluate(() => document.querySelector('#result')?.replaceChildren());
      await choose(page, vector(file));
      await expect.poll(() => verdict(page).count()).toBe(1);
      const said = (await verdict(page).textContent()) === PROVED ? undefined : await page.getByRole('definition').innerText();
      expect([file, said]).toEqual([file, reason]);
    }
    expect(problems).toEqual([]);
  });

  test('can be used with the keyboard alone', async () => {
    const { page } = await openSaved();
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('file');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('Of these witnesses, 2 must have signed:').waitFor();
    expect(await page.getByRole('listitem').allInnerTexts()).toEqual([...index.policy.logs, ...index.policy.witnesses]);
    await hasNoFaults(page);
  });
});

describe('the page that the shop serves', () => {
  test('has the key of its log, proves the receipt of an order, and is small', async () => {
    const { page, problems } = await shop.visit('desktop');
    const { _id, orderNumber } = await placeOrder(page);
    const receipt = path.join(folder, 'receipt.tlog-proof');
    await expect
      .poll(async () => {
        const answer = await page.request.get(`/api/order/${_id}/receipt`);
        if (answer.ok()) await writeFile(receipt, await answer.body());
        return answer.status();
      })
      .toBe(200);
    const answer = await page.goto('/verify', { waitUntil: 'load' });
    expect((await answer?.body())?.length).toBeLessThanOrEqual(LARGEST);
    expect(await answer?.headerValue('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'sha256-\S+'; style-src 'sha256-\S+';/,
    );
    await choose(page, receipt);
    await expect.poll(() => verdict(page).textContent()).toBe(PROVED);
    await page.getByText(orderNumber).waitFor();
    await page.getByText('No witness that is known here has signed it').waitFor();
    await choose(page, ORDER);
    await expect.poll(() => page.getByRole('definition').innerText()).toBe('origin');
    expect(problems).toEqual([]);
  });
});
