import { fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { answerCalls, renderShop } from '../../testing/shop.tsx';
import { EndNoticesPage } from './EndNoticesPage.tsx';

const ENDED = { data: { message: 'You will get no more of these mails.' } };
const open = () => renderShop([{ path: '/notices/end/:token', Component: EndNoticesPage }], '/notices/end/a-Token_1');
const press = () => fireEvent.click(screen.getByRole('button', { name: 'End all notices' }));

test('the page opened by the link in a notice ends all notices with one click, and none before', async () => {
  const asked = answerCalls(() => ENDED);
  open();
  expect(asked).toEqual([]);
  press();
  const said = await screen.findByRole('status');
  expect(said.textContent).toBe('You will get no more of these mails.');
  expect(document.activeElement).toBe(said.parentElement);
  expect(asked).toMatchObject([{ url: '/notices/end', body: { token: 'a-Token_1' } }]);
});

test('the page opened by the link in a notice shows why it failed, and can retry', async () => {
  let answer: { status: number; data: unknown } = { status: 400, data: { message: 'This link is not valid any more.' } };
  answerCalls(() => answer);
  open();
  press();
  expect((await screen.findByRole('alert')).textContent).toBe('This link is not valid any more.');
  answer = { status: 502, data: '' };
  press();
  await screen.findByText('The notices could not be ended. Please try again.');
  answer = { status: 200, ...ENDED };
  press();
  await screen.findByRole('status');
});
