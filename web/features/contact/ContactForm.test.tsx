import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { answerCalls, renderPart, NO_ANSWER } from '../../testing/shop.tsx';
import type { ConfiguredInput } from '../../lib/configured-input.ts';
import { ContactForm, contactFieldName } from './ContactForm.tsx';
import { selectContact } from './contact-slice.ts';
import { fill, getField, getNote, press } from '../../testing/interactions.ts';

const inputs: readonly ConfiguredInput[] = [
  { label: 'Name', type: 'text', required: true },
  { label: 'Phone', type: 'tel', required: false },
  { label: 'Your E-mail', name: 'email', type: 'email', required: true },
  { label: 'Message', type: 'textarea', required: true },
];
const IDLE = { loading: false, successMessage: null, error: null, contacts: [] };
const SENT = { status: 201, data: { message: 'We will reply to meera@example.com.' } };

const open = (known = {}) => renderPart(<ContactForm inputs={inputs} known={known} />);
const send = () => press('Send Message');
const write = () => {
  fill('Name', 'Meera');
  fill('Your E-mail', 'meera@example.com');
  fill('Message', 'Is the rose here?');
};

test('a field of the contact form has the configured name, else its label in lower case', () => {
  expect(inputs.map(contactFieldName)).toEqual(['name', 'phone', 'email', 'message']);
});

test('a field of the contact form has one line or several, as configured', () => {
  open();
  expect(getField('Message').tagName).toBe('TEXTAREA');
  expect(getField('Your E-mail')).toMatchObject({ tagName: 'INPUT', type: 'email', name: 'email', required: true });
  expect(screen.getByLabelText(/^Phone/)).toMatchObject({ type: 'tel', required: false });
});

test("a message to the shop is sent by field name, and the server's message replaces the form and takes the focus", async () => {
  const asked = answerCalls(() => SENT);
  open();
  write();
  send();
  const said = await screen.findByRole('status');
  expect(screen.getByRole('heading', { name: 'Message Sent Successfully!' })).toBeInstanceOf(HTMLElement);
  expect(said.textContent).toContain('We will reply to meera@example.com.');
  expect(document.activeElement).toBe(said);
  expect(screen.queryByRole('button')).toBeNull();
  expect(asked).toMatchObject([
    { url: '/contact', body: { name: 'Meera', phone: '', email: 'meera@example.com', message: 'Is the rose here?' } },
  ]);
});

test('a message to the shop is not sent without required fields, each of which shows an error, and the first takes the focus', async () => {
  const asked = answerCalls(() => SENT);
  open();
  fill('Name', 'Meera');
  fill('Message', '  ');
  send();
  await waitFor(() => expect(getNote('Your E-mail')).toBe('Required'));
  expect(getNote('Message')).toBe('Required');
  expect(getField('Name').hasAttribute('aria-invalid')).toBe(false);
  expect(document.activeElement).toBe(getField('Your E-mail'));
  expect(asked).toEqual([]);
});

test("a message to the shop shows the server's error for a field under that field", async () => {
  answerCalls(() => ({ status: 400, data: { message: 'Please correct the marked fields', errors: { email: 'Not an address' } } }));
  open();
  write();
  send();
  await waitFor(() => expect(getNote('Your E-mail')).toBe('Not an address'));
  expect(screen.getByRole('alert').textContent).toBe('Please correct the marked fields');
  expect(document.activeElement).toBe(getField('Your E-mail'));
});

test.each([
  [{ status: 429, data: { message: 'Too many requests. Please try again later.' } }, 'Too many requests. Please try again later.'],
  [{ status: 502, data: '' }, 'Something went wrong'],
  ['gone' as const, 'Something went wrong'],
])('a message to the shop stays in the form when it is refused, and can be sent again (%#)', async (answer, sentence) => {
  let isAway = true;
  answerCalls(() => (isAway ? answer : SENT));
  const { store } = open();
  write();
  send();
  expect((await screen.findByRole('alert')).textContent).toBe(sentence);
  expect(getField('Message').value).toBe('Is the rose here?');
  expect(selectContact(store.getState())).toEqual({ ...IDLE, error: sentence });
  isAway = false;
  send();
  await screen.findByRole('heading', { name: 'Message Sent Successfully!' });
});

test("a message to the shop is filled in with the writer's known data, which they may change", async () => {
  const asked = answerCalls(() => SENT);
  open({ name: 'Meera Nair', email: 'meera@example.com', phone: '+91 98200 55501' });
  fill('Name', 'Meera');
  fill('Message', 'Is the rose here?');
  send();
  await screen.findByRole('status');
  expect(asked.map(({ body }) => body)).toEqual([
    { name: 'Meera', phone: '+91 98200 55501', email: 'meera@example.com', message: 'Is the rose here?' },
  ]);
});

test("a message to the shop shows 'Sending...' while it is sent, and is not sent again", async () => {
  const asked = answerCalls(() => NO_ANSWER);
  open();
  write();
  send();
  const button = await screen.findByRole<HTMLButtonElement>('button', { name: 'Sending...' });
  expect(button.disabled).toBe(true);
  fireEvent.click(button);
  expect(asked).toHaveLength(1);
});

test('a message to the shop has its outcome in the state until the page is left', async () => {
  answerCalls(() => SENT);
  const { store, view } = open();
  write();
  send();
  await screen.findByRole('status');
  expect(selectContact(store.getState())).toEqual({ ...IDLE, successMessage: SENT.data.message });
  view.unmount();
  expect(selectContact(store.getState())).toEqual(IDLE);
});

test('the error of a field disappears when the field is corrected, and the alert disappears with the last error', async () => {
  answerCalls(() => ({ status: 400, data: { message: 'Please correct the marked fields', errors: { email: 'Not an address' } } }));
  open();
  write();
  fill('Name', '');
  send();
  await waitFor(() => expect(getNote('Name')).toBe('Required'));
  expect(screen.getByRole('alert').textContent).toBe('Please correct the marked fields');
  fill('Name', 'Meera');
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  send();
  await waitFor(() => expect(getNote('Your E-mail')).toBe('Not an address'));
  fill('Your E-mail', 'meera@example.org');
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  expect(getField('Your E-mail').hasAttribute('aria-invalid')).toBe(false);
});

test('the error of a field is not shown before the form is submitted', () => {
  open();
  fill('Name', 'Meera');
  fill('Name', '');
  fireEvent.blur(getField('Name'));
  expect(getField('Name').hasAttribute('aria-invalid')).toBe(false);
});
