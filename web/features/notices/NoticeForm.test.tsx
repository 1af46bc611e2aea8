import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { answerCalls, renderPart } from '../../testing/shop.tsx';
import { NoticeForm } from './NoticeForm.tsx';

const NOTED = { status: 202, data: { message: 'Thank you. We will write to you once, when it is in stock again.' } };
const open = (knownEmail?: string) => renderPart(<NoticeForm productId="oud-royal" knownEmail={knownEmail} />);
const email = () => screen.getByLabelText<HTMLInputElement>('Email');
const press = () => fireEvent.click(screen.getByRole('button', { name: 'Tell me when it is back' }));

test('the form for a notice when a perfume is back sends the address, and the answer replaces the form and takes the focus', async () => {
  const asked = answerCalls(() => NOTED);
  open();
  fireEvent.change(email(), { target: { value: ' meera@example.com ' } });
  press();
  const said = await screen.findByText(NOTED.data.message);
  await waitFor(() => expect(document.activeElement?.contains(said)).toBe(true));
  expect(screen.queryByRole('textbox')).toBeNull();
  expect(asked).toMatchObject([{ url: '/product/oud-royal/notify', body: { email: 'meera@example.com' } }]);
});

test("the form for a notice when a perfume is back is filled in with the signed-in shopper's address, which can be changed", async () => {
  const asked = answerCalls(() => NOTED);
  open('meera@example.com');
  expect(email().value).toBe('meera@example.com');
  fireEvent.change(email(), { target: { value: 'ravi@example.com' } });
  press();
  await screen.findByText(NOTED.data.message);
  expect(asked.map(({ body }) => body)).toEqual([{ email: 'ravi@example.com' }]);
});

test('the form for a notice when a perfume is back asks for the address and sends nothing without it', async () => {
  const asked = answerCalls(() => NOTED);
  open();
  press();
  await screen.findByText('Required');
  await waitFor(() => expect(document.activeElement).toBe(email()));
  expect(asked).toEqual([]);
});

test('the form for a notice when a perfume is back keeps a refused address and shows the reason beside it', async () => {
  answerCalls(() => ({ status: 400, data: { message: 'Please correct the marked fields', errors: { email: 'Not an address' } } }));
  open('meera@example.com');
  press();
  await screen.findByText('Not an address');
  expect(screen.queryByText('Please correct the marked fields')).toBeNull();
  expect(email().getAttribute('aria-invalid')).toBe('true');
  expect(email().value).toBe('meera@example.com');
});

test.each([
  [{ status: 429, data: { message: 'Too many requests. Please try again later.' } }, 'Too many requests. Please try again later.'],
  ['gone' as const, 'Your address could not be noted. Please try again.'],
])('the form for a notice when a perfume is back shows why it failed, and can retry (%#)', async (answer, sentence) => {
  let fails = true;
  answerCalls(() => (fails ? answer : NOTED));
  open('meera@example.com');
  press();
  await screen.findByText(sentence);
  expect(document.activeElement).toBe(email());
  fails = false;
  press();
  await screen.findByText(NOTED.data.message);
});
