import type { Page } from 'playwright-core';
import { beforeAll, expect, test, vi } from 'vitest';
import { answered, download, enter, moveOrder, placeOrder, signUp, type Placed } from './customers.ts';
import { lookAt } from './faults.ts';
import { findButton } from './find.ts';
import { holdBack, shop, type Screen, type Visit } from './harness.ts';
import { admin, auditor } from './servers.ts';

const BUYER = 'buyer-under-audit@example.com';

let order: Placed;
beforeAll(async () => {
  const [{ page: buyer }, { page: desk }] = [await shop.visit('phone'), await shop.visit('desktop')];
  order = await placeOrder(buyer, { products: { 'oud-saffron-majlis': 1 }, giftMessage: 'For Amma', shipping: { email: BUYER } });
  await enter(desk, admin);
  await moveOrder(desk, order, 'confirmed');
  await enter(desk, auditor);
  // An open page of the audit does not follow the log, so the order and its mail must be known before.
  const ask = async (path: string) => answered(await desk.request.get(`/api/audit/orders${path}`));
  const sent = expect.objectContaining({ state: 'sent', mailbox: expect.any(String) });
  const isKnown = async (): Promise<void> => {
    expect(await ask(`?q=${encodeURIComponent(BUYER)}`)).toMatchObject({ orders: [{ status: 'confirmed' }] });
    expect(await ask(`/${order._id}`)).toMatchObject({ mails: expect.arrayContaining([sent]) });
  };
  await vi.waitFor(isKnown, { timeout: 60_000, interval: 100 });
  for (const page of [buyer, desk]) await page.context().close();
});

const open = async (screen: Screen, address: string): Promise<Visit> => {
  const visit = await shop.visit(screen);
  await visit.page.emulateMedia({ reducedMotion: 'reduce' });
  await enter(visit.page, auditor);
  await visit.page.goto(address);
  return visit;
};

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });
const scrubber = (page: Page) => page.getByRole('slider', { name: 'Point in time' });
const isAt = async (page: Page, revision: number): Promise<void> => {
  await expect.poll(() => new URL(page.url()).searchParams.get('at')).toBe(String(revision));
  await expect.poll(() => scrubber(page).inputValue()).toBe(String(revision));
  await page.locator('[aria-current="step"]').getByText(`rev ${revision}`).waitFor();
};

/** Checks that nothing on the page moves when the verdict arrives, because an auditor may be about to press it. */
const staysInPlaceDuringVerify = async (page: Page): Promise<void> => {
  const place = await scrubber(page).boundingBox();
  const release = await holdBack(page, '**/verify');
  await findButton(page, 'Verify again').click();
  await page
    .getByText(/^Verifying/)
    .first()
    .waitFor();
  expect(await scrubber(page).boundingBox()).toEqual(place);
  release();
  await page.getByText('Chain intact').waitFor();
};

test('the audit shows an order after each of its events, and that its hash chain is intact', async () => {
  const { page, problems } = await shop.open('desktop', '/audit');
  await page.getByLabel('Email', { exact: true }).fill(auditor.email);
  await page.getByLabel('Password', { exact: true }).fill(auditor.password);
  await findButton(page, 'Sign In').click();
  await heading(page, 'The log').waitFor();
  await page.getByLabel('Find an order').fill(BUYER);
  await page.keyboard.press('Enter');
  await page.getByText('1 order found').waitFor();
  expect(page.url()).not.toContain(encodeURIComponent('@'));
  await lookAt(page, 'audit-found');
  await page.getByRole('link', { name: order.orderNumber }).click();

  await heading(page, order.orderNumber).waitFor();
  await page.getByText('Chain intact').waitFor();
  await page.getByText('Read model matches').waitFor();
  const changed = page.getByRole('region', { name: 'What changed' });
  await changed.locator('ins', { hasText: /^confirmed$/ }).waitFor();
  await expect.poll(() => changed.locator('del').allTextContents()).toEqual(['pending']);
  await page.getByText('Mail sent').first().waitFor();
  await lookAt(page, 'audit-order');

  await scrubber(page).press('ArrowLeft');
  await isAt(page, 1);
  await changed.locator('ins', { hasText: order.orderNumber }).waitFor();
  await findButton(page, 'Earlier event').click();
  await isAt(page, 0);
  await expect.poll(() => changed.locator('del').count()).toBe(0);
  await page.getByRole('link', { name: /^Confirmed/ }).click();
  await isAt(page, 2);
  expect(problems).toEqual([]);
});

test('the audit shows an order at a moment, its raw events, its mail, the cart it came from, and the prices at the time', async () => {
  const { page, problems } = await open('phone', `/audit?order=${order.orderNumber}`);
  await page.getByText('Chain intact').waitFor();
  await staysInPlaceDuringVerify(page);
  await page.getByLabel('As it stood on (time in India)').fill('2001-01-01T00:00:00');
  await findButton(page, 'Show').click();
  await page.getByText('At that time this order was not there yet').waitFor();
  await page.getByLabel('As it stood on (time in India)').fill('2099-01-01T00:00:00');
  await findButton(page, 'Show').click();
  await isAt(page, 2);

  await page.getByText('The event itself').click();
  await page.getByText('"correlationId"').waitFor();
  await lookAt(page, 'audit-event');
  expect((await download(page, () => findButton(page, 'Download NDJSON').click())).name).toBe(`order-${order._id}.ndjson`);

  const facts = page.getByRole('region', { name: 'Who and when' });
  await page.goto(`/audit?order=${order.orderNumber}&at=1`);
  const mail = facts.getByRole('link', { name: /^Mail sent/ });
  expect(await mail.getAttribute('href')).toMatch(/^\/dev\/mailbox\?message=\d+$/);
  await page.getByRole('link', { name: 'The cart it was checked out from' }).click();
  await heading(page, 'One cart').waitFor();
  await page.getByText('Put into the cart').filter({ visible: true }).waitFor();
  await page.getByRole('link', { name: 'The order', exact: true }).filter({ visible: true }).click();
  await page.getByText('Chain intact').waitFor();
  await page.getByRole('link', { name: /^Checked out/ }).click();
  await facts.getByRole('link', { name: 'Oud Saffron Majlis' }).click();
  await heading(page, 'What Oud Saffron Majlis cost').waitFor();
  await page.getByText('₹3,450.00, since').waitFor();
  await lookAt(page, 'audit-prices');
  expect(problems).toEqual([]);
});

test('the audit shows the log, saves it as a file, looks prices up, and checks the books to the last row', async () => {
  const { page, problems } = await open('phone', '/audit');
  await page.getByText('Perfume added').filter({ visible: true }).first().waitFor();
  await findButton(page, 'Check the books').click();
  const prices = page.getByRole('region', { name: 'What a perfume cost' });
  await prices.getByRole('button', { name: 'Show' }).click();
  await prices.getByText('Pick a day and a time').waitFor();
  await prices.getByLabel('Perfume').fill('oud saffron');
  await prices.locator('option', { hasText: 'Oud Saffron Majlis' }).waitFor({ state: 'attached' });
  // The check leaves the processor to others, so a busy machine delays it.
  await page.getByText('everything is as it was written').waitFor();
  await page.getByText('The dashboard matches the log').waitFor();
  await page.getByText('The orders of Site Manager: every row matches').waitFor();
  await lookAt(page, 'audit-books');
  expect((await download(page, () => findButton(page, 'Download NDJSON').click())).name).toBe('ruhani-log.ndjson');
  await page.getByRole('link', { name: 'Orders', exact: true }).click();
  await page
    .getByText(/^(?:Checked out|Placed)$/)
    .filter({ visible: true })
    .first()
    .waitFor();

  await prices.getByLabel('Perfume').fill('Oud Saffron Majlis');
  await prices.getByLabel('At (time in India)').fill('2001-01-01T00:00:00');
  await prices.getByRole('button', { name: 'Show' }).click();
  await page.getByText('the shop did not have it yet').waitFor();
  await page.goto('/audit?order=RH-22222222');
  await page.getByRole('alert').getByText('Order not found').waitFor();
  expect(problems).toEqual([expect.stringContaining('status of 404 ')]);
});

test('other users are refused the audit, and fetch none of its code', async () => {
  const { page } = await shop.open('phone', '/about');
  await signUp(shop, page, 'shopper@example.com');
  const fetched: string[] = [];
  page.on('request', (request) => fetched.push(new URL(request.url()).pathname));
  for (const open of [() => page.goto('/audit'), () => page.reload()]) {
    await open();
    await page.getByText('Your account is not one of them').waitFor();
  }
  expect(fetched.filter((path) => /AuditPage|\/api\/audit/.test(path))).toEqual([]);
});
