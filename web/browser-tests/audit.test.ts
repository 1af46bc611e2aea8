import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lookAtBoth } from './faults.ts';
import { admin, auditor, holdBack, home, openBrowserShop, type BrowserShop, type Screen, type Visit } from './harness.ts';
import { call, getCookies, placeOrder } from './order-journeys.ts';
import { enter, signUp } from './customers.ts';

let shop: BrowserShop;
let order: { readonly id: string; readonly number: string };

const anOrder = async (): Promise<typeof order> => {
  const placed = await placeOrder(shop);
  const staff = getCookies(await call(shop, '/user/login', 'POST', '', admin));
  const move = { status: 'confirmed', note: 'Confirmed by telephone' };
  const confirmed = await call(shop, `/admin/order/${placed.id}/status`, 'PUT', staff, move);
  expect(confirmed.status).toBe(200);
  return placed;
};

beforeAll(async () => {
  shop = await openBrowserShop();
  order = await anOrder();
});
afterAll(() => shop.close());

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
  await page.getByRole('button', { name: 'Verify again' }).click();
  await page
    .getByText(/^Verifying/)
    .first()
    .waitFor();
  expect(await scrubber(page).boundingBox()).toEqual(place);
  release();
  await page.getByText('Chain intact').waitFor();
};

describe('the audit', () => {
  test('shows an order after each of its events, and that its hash chain is intact', async () => {
    const { page, problems } = await shop.open('desktop', '/audit');
    await page.getByLabel('Email', { exact: true }).fill(auditor.email);
    await page.getByLabel('Password', { exact: true }).fill(auditor.password);
    await page.getByRole('button', { name: 'Sign In', exact: true }).click();
    await heading(page, 'The log').waitFor();
    await page.getByLabel('Find an order').fill(home.email);
    await page.keyboard.press('Enter');
    await page.getByText('1 order found').waitFor();
    expect(page.url()).not.toContain(encodeURIComponent('@'));
    await lookAtBoth(shop, page, 'audit-found', { narrow: true });
    await page.getByRole('link', { name: order.number }).click();

    await heading(page, order.number).waitFor();
    await page.getByText('Chain intact').waitFor();
    await page.getByText('Read model matches').waitFor();
    const changed = page.getByRole('region', { name: 'What changed' });
    await changed.locator('ins', { hasText: /^confirmed$/ }).waitFor();
    await expect.poll(() => changed.locator('del').allTextContents()).toEqual(['pending']);
    await page.getByText('Mail sent').waitFor();
    await lookAtBoth(shop, page, 'audit-order', { narrow: true });

    await scrubber(page).press('ArrowLeft');
    await isAt(page, 1);
    await changed.locator('ins', { hasText: order.number }).waitFor();
    await page.getByRole('button', { name: 'Earlier event' }).click();
    await isAt(page, 0);
    await expect.poll(() => changed.locator('del').count()).toBe(0);
    await page.getByRole('link', { name: /^Confirmed/ }).click();
    await isAt(page, 2);
    expect(problems).toEqual([]);
  });

  test('shows an order at a moment, its raw events, and the cart it came from', async () => {
    const { page, problems } = await open('phone', `/audit?order=${order.number}`);
    await page.getByText('Chain intact').waitFor();
    await staysInPlaceDuringVerify(page);
    await page.getByLabel('As it stood on (time in India)').fill('2001-01-01T00:00:00');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.getByText('At that time this order was not there yet').waitFor();
    await lookAtBoth(shop, page, 'audit-too-early', { narrow: true });
    await page.getByLabel('As it stood on (time in India)').fill('2099-01-01T00:00:00');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await isAt(page, 2);

    await page.getByText('The event itself').click();
    await page.getByText('"correlationId"').waitFor();
    await lookAtBoth(shop, page, 'audit-event', { narrow: true });

    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download NDJSON' }).click();
    expect((await download).suggestedFilename()).toBe(`order-${order.id}.ndjson`);
    await page.getByRole('link', { name: 'The cart it was checked out from' }).click();
    await heading(page, 'One cart').waitFor();
    await page.getByText('Put into the cart').filter({ visible: true }).waitFor();
    expect(problems).toEqual([]);
  });

  test('shows the log page by page, saves it as a file, and checks the books', async () => {
    const { page, problems } = await open('phone', '/audit');
    await page.getByText('Perfume added').filter({ visible: true }).first().waitFor();
    await page.getByRole('link', { name: 'Orders', exact: true }).click();
    await page
      .getByText('Confirmed by telephone')
      .or(page.getByText('Confirmed', { exact: true }))
      .filter({ visible: true })
      .first()
      .waitFor();
    await lookAtBoth(shop, page, 'audit-log', { narrow: true });
    await page.getByRole('button', { name: 'Check the books' }).click();
    await page.getByText('everything is as it was written').waitFor();
    await page.getByText('The dashboard matches the log').waitFor();
    await lookAtBoth(shop, page, 'audit-books', { narrow: true });
    await page.getByRole('link', { name: 'Everything' }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download NDJSON' }).click();
    expect((await download).suggestedFilename()).toBe('ruhani-log.ndjson');
    expect(problems).toEqual([]);
  });

  test('shows a message when there is no such order', async () => {
    const { page } = await open('desktop', '/audit?q=nobody');
    await heading(page, 'No such order').waitFor();
    await lookAtBoth(shop, page, 'audit-nothing', { narrow: true });
    await page.goto('/audit?order=RH-22222222');
    await page.getByRole('alert').getByText('Order not found').waitFor();
    await lookAtBoth(shop, page, 'audit-no-order', { narrow: true });
  });
});

test('other users are refused the audit, and fetch none of its code', async () => {
  const { page } = await shop.open('phone', '/');
  await signUp(shop, page, 'shopper@example.com');
  const fetched: string[] = [];
  page.on('request', (request) => fetched.push(new URL(request.url()).pathname));
  await page.goto('/audit');
  await page.getByText('Your account is not one of them').waitFor();
  await page.reload();
  await page.getByText('Your account is not one of them').waitFor();
  await lookAtBoth(shop, page, 'audit-refused', { narrow: true });
  expect(fetched.filter((path) => /AuditPage|\/api\/audit/.test(path))).toEqual([]);
});
