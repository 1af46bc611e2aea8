import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { answerCalls, renderShop } from '../../testing/shop.tsx';
import { UnsubscribePage } from './UnsubscribePage.tsx';

const open = (address: string) => renderShop([{ path: '/unsubscribe', Component: UnsubscribePage }], address);
const press = () => fireEvent.click(screen.getByRole('button', { name: 'Unsubscribe' }));
const email = () => screen.getByLabelText<HTMLInputElement>('Email');
const LEFT = { data: { message: 'You are unsubscribed.' } };

test('the unsubscribe page unsubscribes with one click after a link from a mail, whose token is removed from the URL', async () => {
  const asked = answerCalls(() => LEFT);
  const { router } = open('/unsubscribe?token=7.signature');
  await waitFor(() => expect(router.state.location.search).toBe(''));
  expect(asked).toEqual([]);
  expect(screen.queryByLabelText('Email')).toBeNull();
  press();
  const said = await screen.findByRole('status');
  expect(said.textContent).toBe('You are unsubscribed.');
  expect(document.activeElement).toBe(said.parentElement);
  expect(asked).toMatchObject([{ url: '/subscribe/unsubscribe', body: { token: '7.signature' } }]);
  await expect.poll(() => document.title).toBe('Unsubscribe · RUHANI');
});

test('the unsubscribe page asks for the address when opened without a link, and requires it', async () => {
  const asked = answerCalls(() => LEFT);
  open('/unsubscribe');
  press();
  await waitFor(() => expect(email().getAttribute('aria-invalid')).toBe('true'));
  await waitFor(() => expect(document.activeElement).toBe(email()));
  expect(asked).toEqual([]);
  fireEvent.change(email(), { target: { value: 'meera@example.com' } });
  press();
  await screen.findByRole('status');
  expect(asked.map(({ body }) => body)).toEqual([{ email: 'meera@example.com' }]);
});

test('the unsubscribe page asks for the address when the link is no longer valid', async () => {
  const asked = answerCalls(({ body }) =>
    JSON.stringify(body).includes('token') ? { status: 400, data: { message: 'This link is not valid any more.' } } : LEFT,
  );
  open('/unsubscribe?token=7.old');
  press();
  expect((await screen.findByRole('alert')).textContent).toBe('This link is not valid any more.');
  fireEvent.change(email(), { target: { value: 'meera@example.com' } });
  press();
  await screen.findByRole('status');
  expect(asked).toHaveLength(2);
});

test('the unsubscribe page shows a failure when the server does not answer, and can retry', async () => {
  let isAway = true;
  answerCalls(() => (isAway ? 'gone' : LEFT));
  open('/unsubscribe?token=7.signature');
  press();
  expect((await screen.findByRole('alert')).textContent).toBe('Failed to unsubscribe');
  isAway = false;
  press();
  await screen.findByRole('status');
});
