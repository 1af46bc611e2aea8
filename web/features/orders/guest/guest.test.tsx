import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fill, getHref, press } from '../../../testing/interactions.ts';
import { answerCalls, renderShop, type Answer } from '../../../testing/shop.tsx';
import { FindOrder } from './FindOrder.tsx';
import { OpenOrderPage } from './OpenOrderPage.tsx';

const show = (path: string) =>
  renderShop(
    [
      { path: '/order/:token', Component: OpenOrderPage },
      { path: '/find-order', Component: FindOrder },
      { path: '*', element: <h1>Elsewhere</h1> },
    ],
    path,
  );
const id = '0b8c4f1e-52aa-8d3c-9b1f-6a0d2c7e91f4';

test.each([
  ['', `/order-confirmed/${id}`],
  ['?show=invoice', `/invoice/${id}`],
])('a mailed link %s opens its order, whose page replaces the link in the history', async (query, path) => {
  const asked = answerCalls(() => ({ data: { _id: id } }));
  const before = window.history.length;
  show(`/order/a-Token_1${query}`);
  await screen.findByRole('heading', { name: 'Elsewhere' });
  expect(window.location.pathname + window.location.search).toBe(path);
  expect(window.history.length).toBe(before);
  expect(asked[0]).toMatchObject({ url: '/order/open', body: { token: 'a-Token_1' } });
});

test('a link that opens nothing leads to a new one, and one that was not answered is tried again', async () => {
  let answer: Answer = { status: 502, data: '' };
  answerCalls(() => answer);
  show('/order/a-Token_1');
  await screen.findByRole('heading', { name: 'Your order did not come' });
  answer = { status: 404, data: { message: 'Order not found', code: 'order_not_found' } };
  press('Try again');
  await screen.findByRole('heading', { name: 'This link opens no order' });
  expect(getHref('Find your order')).toBe('/find-order');
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
});

test('a guest asks for the link by number and e-mail, and is told that it comes if both belong together', async () => {
  let answer: Answer = { status: 429, data: { message: 'Too many requests. Please try again later.' } };
  const asked = answerCalls(() => answer);
  show('/find-order');
  press('Mail me the link');
  expect(await screen.findAllByText('Required')).toHaveLength(2);
  expect(asked).toEqual([]);
  fill('Order number', 'RH-D2VXH8PN');
  fill('Email', 'farah.q@example.com');
  press('Mail me the link');
  expect((await screen.findByRole('alert')).textContent).toBe('Too many requests. Please try again later.');
  answer = { status: 202, data: { message: 'Sent' } };
  press('Mail me the link');
  const heading = await screen.findByRole('heading', { name: 'Look into your mail' });
  expect(document.activeElement).toBe(heading);
  screen.getByText('If RH-D2VXH8PN and farah.q@example.com belong together, the link is on its way.');
  expect(asked.at(-1)).toMatchObject({ url: '/order/find', body: { orderNumber: 'RH-D2VXH8PN', email: 'farah.q@example.com' } });
  press('Try another number');
  await screen.findByLabelText('Order number');
});
