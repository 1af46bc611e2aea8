import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { NOT_AN_EMAIL } from '#domain/shared/email.ts';
import { everythingIsInView } from '../../testing/in-view.ts';
import { answerCalls, renderPart, NO_ANSWER } from '../../testing/shop.tsx';
import { ArtisanCircle } from './ArtisanCircle.tsx';
import { newsletterApi } from './newsletter-api.ts';
import { NewsletterForm } from './NewsletterForm.tsx';
import { messagesCleared, newsletterSlice, selectSubscriber } from './newsletter-slice.ts';

beforeEach(() => everythingIsInView());

const open = () => renderPart(<NewsletterForm submit="Subscribe" busy="Subscribing..." />);
const { initiate } = newsletterApi.endpoints.subscribe;
const SUBSCRIBED = { status: 201, data: { message: 'Thank you' } };
const IDLE = { loading: false, error: null, successMessage: null, subscribers: [] };
const box = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Your email address' });
const join = (email: string) => {
  fireEvent.change(box(), { target: { value: email } });
  fireEvent.click(screen.getByRole('button', { name: 'Subscribe' }));
};

test("the newsletter form sends the address, and the server's message replaces the form and takes the focus", async () => {
  const asked = answerCalls(() => SUBSCRIBED);
  open();
  join(' meera@example.com ');
  const said = (await screen.findByText('Thank you')).closest('[role=status]');
  expect(document.activeElement).toBe(said);
  expect(screen.queryByRole('textbox')).toBeNull();
  expect(asked).toMatchObject([{ url: '/subscribe', body: { email: 'meera@example.com' } }]);
});

test.each(['', '   '])('the newsletter form asks for the address and sends nothing when it is %j', async (email) => {
  const asked = answerCalls(() => ({ data: {} }));
  open();
  join(email);
  expect((await screen.findByRole('alert')).textContent).toBe('Please enter your email address');
  await waitFor(() => expect(document.activeElement).toBe(box()));
  expect(asked).toEqual([]);
});

test.each([
  [{ status: 429, data: { message: 'Too many requests. Please try again later.' } }, 'Too many requests. Please try again later.'],
  [{ status: 400, data: { message: NOT_AN_EMAIL, errors: { email: 'Required' } } }, NOT_AN_EMAIL],
  [{ status: 502, data: '' }, 'Failed to subscribe'],
  ['gone' as const, 'Failed to subscribe'],
])('the newsletter form keeps the form and the address when sending fails, and shows the reason (%#)', async (answer, sentence) => {
  answerCalls(() => answer);
  open();
  join('meera@example.com');
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toBe(sentence);
  expect(alert.className).toContain('text-sindoor');
  expect(box().value).toBe('meera@example.com');
  expect(box().getAttribute('aria-describedby')).toBe(alert.id);
  expect(document.activeElement).toBe(box());
});

test("the newsletter form shows 'Subscribing...' while it is sent, and cannot be sent again", async () => {
  const asked = answerCalls(() => NO_ANSWER);
  open();
  join('meera@example.com');
  const button = await screen.findByRole<HTMLButtonElement>('button', { name: 'Subscribing...' });
  expect(button.disabled).toBe(true);
  expect(screen.getByRole('status').textContent).toBe('Subscribing...');
  expect(box().readOnly).toBe(true);
  fireEvent.submit(box());
  fireEvent.click(button);
  await act(() => Promise.resolve());
  expect(asked).toHaveLength(1);
});

test('the newsletter form shows the outcome of a subscription from another form without taking the focus', async () => {
  answerCalls(() => SUBSCRIBED);
  const { store } = open();
  await act(() => store.dispatch(initiate('meera@example.com')));
  expect(screen.getByRole('status').textContent).toBe('Thank you');
  expect(document.activeElement).toBe(document.body);
});

test('the newsletter form shows the failure of a subscription from another form until it is submitted', async () => {
  answerCalls(() => ({ status: 502, data: '' }));
  const { store } = open();
  await act(() => store.dispatch(initiate('meera@example.com')));
  expect(screen.getByRole('alert').textContent).toBe('Failed to subscribe');
  expect(document.activeElement).toBe(document.body);
  join('');
  await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('Please enter your email address'));
});

test('the newsletter form clears the messages when its page is left', async () => {
  answerCalls(() => SUBSCRIBED);
  const { store, view } = open();
  await act(() => store.dispatch(initiate('meera@example.com')));
  view.unmount();
  expect(selectSubscriber(store.getState())).toEqual(IDLE);
});

test("the artisan circle has the button 'Join Now', which shows 'Joining...' while it is sent", async () => {
  answerCalls(() => NO_ANSWER);
  const { store } = renderPart(<ArtisanCircle />);
  expect(screen.getByRole('heading', { level: 2, name: 'Join Our Artisan Circle' })).toBeInstanceOf(HTMLElement);
  expect(await screen.findByRole('button', { name: 'Join Now' })).toBeInstanceOf(HTMLElement);
  act(() => void store.dispatch(initiate('meera@example.com')));
  expect((await screen.findByRole<HTMLButtonElement>('button', { name: 'Joining...' })).disabled).toBe(true);
});

test('the state of a subscription keeps `loading` when its messages are cleared', () => {
  const waiting = { ...IDLE, loading: true };
  expect(newsletterSlice.reducer({ ...IDLE, error: 'No' }, messagesCleared())).toEqual(IDLE);
  expect(newsletterSlice.reducer(waiting, messagesCleared())).toEqual(waiting);
});
