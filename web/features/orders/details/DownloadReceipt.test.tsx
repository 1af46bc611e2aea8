import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi, type MockInstance } from 'vitest';
import * as files from '../../../lib/save-file.ts';
import { getHref, pass, press } from '../../../testing/interactions.ts';
import { openOrderPage, type Answers } from '../testing/open-orders.tsx';
import { ID, orderThatIs } from '../testing/sample-orders.ts';

const RECEIPT = `${ID}/receipt`;
const TEXT = 'c2sp.org/tlog-proof@v1\nindex 7\n';
const COMING = { status: 503, data: { message: 'The receipt is ready in a moment: please try again' } };

let save: MockInstance<typeof files.saveFile>;
beforeEach(() => {
  save = vi.spyOn(files, 'saveFile').mockReturnValue();
  vi.useFakeTimers({ shouldAdvanceTime: true, now: new Date('2026-11-20T10:00:00Z') });
});

const open = async (answer: Answers[string]) => {
  const answers: Answers = { [`get-order/${ID}`]: { data: orderThatIs('pending') }, [RECEIPT]: answer };
  const shop = openOrderPage(`/order-confirmed/${ID}`, answers);
  await screen.findByRole('region', { name: 'Receipt' });
  return { calls: () => shop.calls(RECEIPT).length, answers };
};

test('a receipt is fetched when it is wanted, and saved as a file of the order’s number', async () => {
  const { calls } = await open({ data: TEXT });
  expect(calls()).toBe(0);
  expect(getHref('verify it')).toBe('/verify');
  press('Receipt');
  await waitFor(() => expect(save.mock.calls).toEqual([['RH-4WPDX9CT.tlog-proof', 'text/plain', [TEXT]]]));
  press('Receipt');
  await waitFor(() => expect(save).toHaveBeenCalledTimes(2));
  expect(calls()).toBe(2);
});

test('a receipt that is not published yet is told, asked for every two seconds, and saved once', async () => {
  const { calls, answers } = await open(COMING);
  // Real time lets the fake clock run too, so each call is judged by when it came.
  const askedAt: number[] = [];
  const answerWith = (answer: Answers[string]) =>
    Object.defineProperty(answers, RECEIPT, { configurable: true, get: () => (askedAt.push(Date.now()), answer) });
  answerWith(COMING);
  press('Receipt');
  await screen.findByText(/^Your receipt is not published yet/);
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Receipt' }).disabled).toBe(true);
  for (let second = 0; second < 10; second += 1) await pass(1_000);
  expect(askedAt.length).toBeGreaterThan(3);
  for (const [index, at] of askedAt.slice(1).entries()) expect(at - (askedAt[index] ?? 0)).toBeGreaterThanOrEqual(2_000);
  answerWith({ data: TEXT });
  for (let second = 0; second < 4; second += 1) await pass(1_000);
  const last = calls();
  expect(screen.queryByText(/not published/)).toBeNull();
  await pass(20_000);
  expect(calls()).toBe(last);
  expect(save).toHaveBeenCalledTimes(1);
});

test('a receipt that cannot be had is told, and not asked for again by itself', async () => {
  const { calls } = await open('gone');
  press('Receipt');
  expect((await screen.findByRole('alert')).textContent).toBe('The receipt could not be loaded. Please try again.');
  await pass(20_000);
  expect(calls()).toBe(1);
  expect(save).not.toHaveBeenCalled();
});

test('a receipt is not asked for any more once its page is left', async () => {
  const { calls } = await open(COMING);
  press('Receipt');
  await screen.findByText(/^Your receipt is not published yet/);
  screen.getByRole('link', { name: 'View Order History' }).click();
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Receipt' })).toBeNull());
  const asked = calls();
  await pass(20_000);
  expect(calls()).toBe(asked);
});
