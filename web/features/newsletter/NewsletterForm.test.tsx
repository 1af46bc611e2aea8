import { combineReducers } from '@reduxjs/toolkit';
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, test } from 'vitest';
import { answerCalls, renderPart } from '../../testing/shop.tsx';
import { renderWithSaga } from '../../testing/with-saga.tsx';
import { ArtisanCircle } from './ArtisanCircle.tsx';
import { NewsletterBand } from './NewsletterBand.tsx';
import { NewsletterForm } from './NewsletterForm.tsx';
import { newsletterSaga } from './newsletter-saga.ts';
import { messagesCleared, newsletterSlice, selectSubscriber, subscribed, subscribeFailed, subscribeRequested } from './newsletter-slice.ts';

afterEach(cleanup);

const reducer = combineReducers({ [newsletterSlice.name]: newsletterSlice.reducer });
const open = () => renderWithSaga(<NewsletterBand title="Letters" desc="Four a year" />, reducer, newsletterSaga);
const box = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Your email address' });
const join = (email: string) => {
  fireEvent.change(box(), { target: { value: email } });
  fireEvent.click(screen.getByRole('button', { name: 'Subscribe' }));
};

describe('subscribing to the newsletter', () => {
  test('sends the address, and what the server says takes the place of the form and the focus', async () => {
    const asked = answerCalls(() => ({ status: 201, data: { message: 'Thank you' } }));
    open();
    join(' meera@example.com ');
    const said = await screen.findByText('Thank you');
    expect(said.getAttribute('role')).toBe('status');
    expect(document.activeElement).toBe(said);
    expect(screen.queryByRole('textbox')).toBeNull();
    expect(asked).toMatchObject([{ url: '/subscribe', body: { email: 'meera@example.com' } }]);
  });

  test.each(['', '   '])('sends nothing when the address is %j, and asks for it', async (email) => {
    const asked = answerCalls(() => ({ data: {} }));
    open();
    join(email);
    expect((await screen.findByRole('alert')).textContent).toBe('Please enter your email address');
    await waitFor(() => expect(document.activeElement).toBe(box()));
    expect(asked).toEqual([]);
  });

  test.each([
    [{ status: 429, data: { message: 'Too many requests. Please try again later.' } }, 'Too many requests. Please try again later.'],
    [{ status: 400, data: { message: 'Please correct the marked fields', errors: { email: 'Not an address' } } }, 'Not an address'],
    [{ status: 502, data: '' }, 'Failed to subscribe'],
    [new Error('Network Error'), 'Failed to subscribe'],
  ])('keeps the form and the address when it fails, and says why (%#)', async (answer, sentence) => {
    answerCalls(() => {
      if (answer instanceof Error) throw answer;
      return answer;
    });
    open();
    join('meera@example.com');
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toBe(sentence);
    expect(alert.className).toContain('text-sindoor');
    expect(box().value).toBe('meera@example.com');
    expect(box().getAttribute('aria-describedby')).toBe(alert.id);
    expect(document.activeElement).toBe(box());
  });

  test("says 'Subscribing...' meanwhile, and cannot be sent again", () => {
    const { store } = renderPart(<NewsletterBand title="Letters" desc="Four a year" />);
    act(() => void store.dispatch(subscribeRequested('meera@example.com')));
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Subscribing...' }).disabled).toBe(true);
    expect(screen.getByRole('status').textContent).toBe('Subscribing...');
    expect(box().readOnly).toBe(true);
  });

  test('that began elsewhere shows what became of it, and takes the focus from nobody', () => {
    const { store } = renderPart(<NewsletterForm submit="Subscribe" busy="Subscribing..." />);
    act(() => void store.dispatch(subscribed('Thank you')));
    expect(screen.getByRole('status').textContent).toBe('Thank you');
    expect(document.activeElement).toBe(document.body);
  });

  test('is forgotten with the page on which it was done', () => {
    const { store, view } = renderPart(<NewsletterForm submit="Subscribe" busy="Subscribing..." />);
    act(() => void store.dispatch(subscribed('Thank you')));
    view.unmount();
    expect(selectSubscriber(store.getState())).toEqual({ loading: false, error: null, successMessage: null });
  });
});

test("the artisan circle is joined with 'Join Now', and says 'Joining...' meanwhile", () => {
  const { store } = renderPart(<ArtisanCircle />);
  expect(screen.getByRole('heading', { level: 2, name: 'Join Our Artisan Circle' })).toBeInstanceOf(HTMLElement);
  expect(screen.getByRole('button', { name: 'Join Now' })).toBeInstanceOf(HTMLElement);
  act(() => void store.dispatch(subscribeRequested('meera@example.com')));
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Joining...' }).disabled).toBe(true);
});

describe('the state of a subscription', () => {
  const after = (...actions: readonly Parameters<typeof newsletterSlice.reducer>[1][]) =>
    actions.reduce(newsletterSlice.reducer, newsletterSlice.getInitialState());

  test('waits without messages, and ends with one', () => {
    expect(after(subscribeFailed('No'), subscribeRequested('a'))).toEqual({ loading: true, error: null, successMessage: null });
    expect(after(subscribeRequested('a'), subscribed('Yes'))).toEqual({ loading: false, error: null, successMessage: 'Yes' });
    expect(after(subscribeRequested('a'), subscribeFailed('No'))).toEqual({ loading: false, error: 'No', successMessage: null });
  });

  test('loses its messages when they are cleared, and goes on waiting', () => {
    expect(after(subscribeFailed('No'), messagesCleared())).toEqual(newsletterSlice.getInitialState());
    expect(after(subscribeRequested('a'), messagesCleared())).toMatchObject({ loading: true });
  });

  test('a second click while the first is under way is not a second call', async () => {
    const asked = answerCalls(() => ({ status: 201, data: { message: 'Thank you' } }));
    const { store } = open();
    store.dispatch(subscribeRequested('meera@example.com'));
    store.dispatch(subscribeRequested('meera@example.com'));
    await expect.poll(() => selectSubscriber(store.getState()).successMessage).toBe('Thank you');
    expect(asked).toHaveLength(1);
  });
});
