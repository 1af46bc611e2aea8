import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { renderToString } from 'react-dom/server';
import { Provider } from 'react-redux';
import { MemoryRouter } from 'react-router-dom';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { BLANK_FORM } from '#domain/order/checkout.ts';
import { mapOrderTexts } from '#domain/order/texts.ts';
import { states } from '#domain/shared/states.ts';
import { NOT_AN_EMAIL } from '#domain/shared/email.ts';
import { created, home } from '#domain/testing/orders.ts';
import { captureEarlyEvents, replayEarlyEvents } from '../../../start/event-replay.ts';
import { answered, createCart, createdWith, ID, meera, orderThatIs } from '../testing/sample-orders.ts';
import { CheckoutPage } from './CheckoutPage.tsx';
import { formTyped, selectCheckoutForm } from './checkout-slice.ts';
import { left, openOrderPage, openOrders, type Answers } from '../testing/open-orders.tsx';
import { fill, findTitle, getField, getNote, getTexts, pass, press } from '../../../testing/interactions.ts';
import { createLateAnswer, NO_ANSWER } from '../../../testing/shop.tsx';

const draft = orderThatIs('created');
const cart = createCart(draft);
const done: Answers = { 'create-order': { status: 201, data: { order: draft } }, [`get-order/${ID}`]: { data: draft } };

const pay = () => press('Complete Payment');
const summary = () => within(screen.getByRole('complementary', { name: 'Order Summary' }));

const REQUIRED = ['Name', 'Address line 1', 'City', 'State', 'Postal code', 'Country', 'Phone', 'Email'];
const fillAll = ({ name, address1, city, state, postalCode, country, phone, email }: Record<keyof typeof home, string> = home) => {
  fill('Country', country);
  for (const [index, text] of [name, address1, city, state, postalCode, country, phone, email].entries()) fill(REQUIRED[index] ?? '', text);
};

beforeEach(() => void vi.spyOn(console, 'error').mockReturnValue());

describe('the checkout form', () => {
  test("shows 'Required' under each blank field and focuses the first", async () => {
    const shop = openOrderPage('/checkout', {}, { cart });
    fill('City', '   ');
    fill('Email', 'meera');
    pay();
    expect(await screen.findByText('Seven fields still need you.')).toBeInstanceOf(HTMLElement);
    for (const label of REQUIRED.slice(0, -1).filter((each) => each !== 'Country')) {
      expect(getNote(label)).toBe('Required');
      expect(getField(label).getAttribute('aria-invalid')).toBe('true');
    }
    expect(getField(/Address line 2/).hasAttribute('aria-invalid')).toBe(false);
    expect(getNote('Email')).toBe(NOT_AN_EMAIL);
    expect(document.activeElement).toBe(getField('Name'));
    expect(shop.calls('create-order')).toEqual([]);
  });

  test("shows the server's error under a field until the field is corrected", async () => {
    const errors = { email: 'Not an address that we can write to', city: 'Not a city that we deliver to' };
    const data = { message: 'Please correct the marked fields', code: 'checkout_invalid', errors };
    openOrderPage('/checkout', { 'create-order': { status: 400, data } }, { cart });
    fillAll();
    pay();
    await waitFor(() => expect(getNote('City')).toBe(errors.city));
    expect(getNote('Email')).toBe(errors.email);
    expect(document.activeElement).toBe(getField('City'));
    expect(screen.getByRole('alert').textContent).toBe('Two fields still need you.');
    fill('City', 'Pune');
    await waitFor(() => expect(getField('City').hasAttribute('aria-invalid')).toBe(false));
    expect(screen.getByRole('alert').textContent).toBe('One field still needs you.');
  });

  test('is emptied when another shopper enters', async () => {
    const { store } = openOrderPage('/checkout', {}, { cart });
    fillAll();
    fireEvent.click(screen.getByRole('checkbox', { name: /^Gift wrap/ }));
    act(() => void store.dispatch(left()));
    for (const label of REQUIRED) expect(getField(label).value).toBe(label === 'Country' ? 'India' : '');
    expect(getField(/^Gift wrap/).checked).toBe(false);
  });

  test('keeps text that was typed before the scripts loaded', async () => {
    const { store } = openOrders({});
    const known = { items: cart, known: true, onRepeat: () => {} };
    const page = (
      <Provider store={store}>
        <MemoryRouter>
          <CheckoutPage cart={known} shopper={null} provider="Razorpay" signIn="/signin" />
        </MemoryRouter>
      </Provider>
    );
    const container = document.body.appendChild(document.createElement('div'));
    container.innerHTML = renderToString(page);
    captureEarlyEvents();
    for (const box of container.querySelectorAll<HTMLInputElement>('input, textarea, select')) {
      const text: unknown = Reflect.get({ ...home, giftMessage: 'For Amma' }, box.name);
      if (typeof text === 'string') box.value = text;
    }
    getField(/^Gift wrap/).checked = true;
    render(page, { container, hydrate: true });
    replayEarlyEvents();
    await waitFor(() =>
      expect(selectCheckoutForm(store.getState())).toEqual({ ...BLANK_FORM, shipping: home, giftWrap: true, giftMessage: 'For Amma' }),
    );
    for (const label of REQUIRED) expect(getField(label).value).not.toBe('');
  });

  test('leads to the review of the created order', async () => {
    const shop = openOrderPage('/checkout', done, { cart });
    act(() => void shop.store.dispatch(formTyped({ note: 'Ring twice' })));
    fillAll();
    fireEvent.click(screen.getByRole('checkbox', { name: /^Gift wrap/ }));
    fill(/Gift message/, 'For Amma');
    pay();
    await waitFor(() => expect(shop.place()).toBe(`/review-order/${ID}`));
    expect(shop.calls('create-order')[0]?.body).toEqual({
      ...BLANK_FORM,
      shipping: home,
      giftWrap: true,
      giftMessage: 'For Amma',
      note: 'Ring twice',
    });
    await findTitle('Review Your Order');
  });

  test('does not navigate after the shopper left the page', async () => {
    const { promise, answer } = createLateAnswer();
    const shop = openOrderPage('/checkout', { 'create-order': promise }, { cart });
    fillAll();
    pay();
    await waitFor(() => expect(shop.calls('create-order')).toHaveLength(1));
    await act(() => shop.router.navigate('/elsewhere'));
    await act(async () => answer({ status: 201, data: { order: draft } }));
    expect(shop.place()).toBe('/elsewhere');
    expect(shop.visited).toEqual([]);
  });

  const typeState = (state: string, country: string) => {
    const shop = openOrderPage('/checkout', {}, { cart });
    act(() => void shop.store.dispatch(formTyped({ shipping: { ...home, state, country } })));
    return { ...shop, box: getField('State'), kept: () => selectCheckoutForm(shop.store.getState()).shipping.state };
  };
  const shownState = () => [...screen.getByLabelText<HTMLSelectElement>('State').options].find(({ selected }) => selected)?.textContent;

  test('offers the 36 states of India, which is the country at first, and a text box for another country', async () => {
    const { store } = openOrderPage('/checkout', {}, { cart });
    expect(getField('Country').value).toBe('India');
    const offered = getTexts([...getField('State').querySelectorAll('option')]);
    expect(offered).toEqual(['Choose a state', ...states]);
    fill('State', 'Goa');
    fill('Country', 'Nepal');
    await waitFor(() => expect(getField('State').tagName).toBe('INPUT'));
    expect(getField('State').value).toBe('Goa');
    fill('State', 'Bagmati');
    fill('Country', 'Bharat');
    await waitFor(() => expect(getField('State').tagName).toBe('SELECT'));
    expect(shownState()).toBe('Bagmati');
    expect(selectCheckoutForm(store.getState()).shipping).toMatchObject({ state: 'Bagmati', country: 'Bharat' });
  });

  test.each(['Kerala', 'KL', 'IN-KL', ' kerala ', '32', 'Kerela', 'केरल'])('chooses Kerala where %j was filled in', (typed) => {
    const { box, kept } = typeState(typed, 'India');
    expect([box.tagName, box.getAttribute('autocomplete'), shownState()]).toEqual(['SELECT', 'shipping address-level1', 'Kerala']);
    expect(kept()).toBe(typed);
    fill('State', 'Goa');
    expect(shownState()).toBe('Goa');
    fill('State', 'Kerala');
    expect([shownState(), kept()]).toEqual(['Kerala', 'Kerala']);
  });

  test('chooses the state that was filled in before the country', async () => {
    typeState('KL', 'Nepal');
    fill('Country', 'India');
    await waitFor(() => expect(shownState()).toBe('Kerala'));
  });

  test('keeps a state that is in no list, and asks for one of the list', async () => {
    const { kept, calls } = typeState('Utopia', 'India');
    expect(shownState()).toBe('Utopia');
    pay();
    await waitFor(() => expect(getNote('State')).toContain('Please choose your state from the list'));
    expect([kept(), calls('create-order')]).toEqual(['Utopia', []]);
    fill('State', 'Kerala');
    await waitFor(() => expect(getField('State').hasAttribute('aria-invalid')).toBe(false));
  });

  test.each([
    [{ postalCode: '68203' }, 'Postal code', 'Please enter the six digits of your PIN, such as 682031'],
    [{ postalCode: '082031' }, 'Postal code', 'Please enter the six digits of your PIN, such as 682031'],
    [{ postalCode: '400001' }, 'Postal code', '400001 is no PIN of Kerala: please correct the PIN or the state'],
    [{ phone: '98470' }, 'Phone', 'Please enter ten digits, or + and the country code first'],
    [{ phone: '98470 0000O' }, 'Phone', 'Please enter ten digits, or + and the country code first'],
    [{ phone: '+91 98470 000000' }, 'Phone', 'Please enter ten digits, or + and the country code first'],
    [{ country: 'Nepal', phone: '12-34' }, 'Phone', 'Please enter 7 to 15 digits, with the country code first'],
  ])('asks again for %j', async (wrong, label, sentence) => {
    const { calls } = openOrderPage('/checkout', done, { cart });
    fillAll({ ...home, ...wrong });
    pay();
    await waitFor(() => expect(getNote(label)).toBe(`${sentence}. If it is right, send it again.`));
    expect([document.activeElement, getField(label).getAttribute('aria-invalid')]).toEqual([getField(label), 'true']);
    expect(screen.getByRole('alert').textContent).toBe('One field still needs you.');
    expect(calls('create-order')).toEqual([]);
    pay();
    await waitFor(() => expect(calls('create-order')).not.toEqual([]));
  });

  test.each([
    { postalCode: '682 031', phone: '098470 00000' },
    { postalCode: '901234', phone: '0091-98470-00000' },
    { phone: '(0484) 266-1234' },
    { phone: '+44 20 7946 0958' },
    { country: 'United Kingdom', state: 'Kent', postalCode: 'CT1 2EH', phone: '020 7946 0958' },
  ])('accepts %j', async (right) => {
    const shop = openOrderPage('/checkout', done, { cart });
    fillAll({ ...home, ...right });
    pay();
    await waitFor(() => expect(shop.place()).toBe(`/review-order/${ID}`));
  });

  test('sees a PIN as corrected when the state is', async () => {
    openOrderPage('/checkout', {}, { cart });
    fillAll({ ...home, state: 'Goa' });
    pay();
    await waitFor(() => expect(getNote('Postal code')).toContain('no PIN of Goa'));
    fill('State', 'Kerala');
    await waitFor(() => expect(getField('Postal code').hasAttribute('aria-invalid')).toBe(false));
  });

  test('lets the browser fill it in, and counts the characters of the gift message', () => {
    openOrderPage('/checkout', {}, { cart });
    expect(getField('Postal code').autocomplete).toBe('shipping postal-code');
    expect(getField('Email').type).toBe('email');
    fill(/Gift message/, 'For Amma');
    expect(getNote(/Gift message/)).toBe('8 / 500');
    expect(getField(/Gift message/).maxLength).toBe(500);
  });
});

const LAST = { data: { shipping: home } };

test('a signed-in shopper gets their name, e-mail, phone and last address filled in', async () => {
  openOrderPage('/checkout', { 'last-address': LAST }, { cart, shopper: meera });
  expect(getField('Name').value).toBe('Meera Nair');
  expect(getField('Email').value).toBe('meera@example.com');
  await waitFor(() => expect(getField('Address line 1').value).toBe('14 Marine Drive'));
  expect(getField('City').value).toBe('Kochi');
});

test('a signed-in shopper gets the last address filled in where it is abroad', async () => {
  const abroad = { ...home, state: 'Bagmati', country: 'Nepal' };
  openOrderPage('/checkout', { 'last-address': { data: { shipping: abroad } } }, { cart, shopper: meera });
  await waitFor(() => expect(getField('Country').value).toBe('Nepal'));
  expect(getField('State').value).toBe('Bagmati');
});

test('a signed-in shopper sees no error for a missing field once the last address fills it in', async () => {
  const { promise, answer } = createLateAnswer();
  openOrderPage('/checkout', { 'last-address': promise }, { cart, shopper: meera });
  pay();
  await waitFor(() => expect(getNote('City')).toBe('Required'));
  answer(LAST);
  await waitFor(() => expect(getField('City').value).toBe('Kochi'));
  await waitFor(() => expect(getField('City').hasAttribute('aria-invalid')).toBe(false));
});

test('a signed-in shopper keeps the input typed before the last address was loaded', async () => {
  const { store } = openOrderPage('/checkout', { 'last-address': LAST }, { cart, shopper: meera });
  fill('City', 'Pune');
  await waitFor(() => expect(JSON.stringify(store.getState())).toContain('Pune'));
  await act(() => Promise.resolve());
  expect(getField('City').value).toBe('Pune');
  expect(getField('Address line 1').value).toBe('');
});

test('a signed-in shopper sees no error when the last address cannot be fetched', async () => {
  const shop = openOrderPage('/checkout', { 'last-address': 'gone' }, { cart, shopper: meera });
  await waitFor(() => expect(shop.calls('last-address')).toHaveLength(1));
  expect(screen.queryByRole('alert')).toBeNull();
  expect(getField('Address line 1').value).toBe('');
});

test('a visitor gets all of the last order in this browser filled in, and is offered to keep nothing', async () => {
  document.cookie = 'visitor=1';
  onTestFinished(() => void (document.cookie = 'visitor=; max-age=0'));
  openOrderPage('/checkout', { 'last-address': LAST }, { cart });
  await waitFor(() => expect(getField('Address line 1').value).toBe('14 Marine Drive'));
  for (const [label, value] of [
    ['Name', home.name],
    ['Phone', home.phone],
    ['Email', home.email],
  ] as const)
    expect(getField(label).value).toBe(value);
  expect(screen.queryByRole('checkbox', { name: 'Keep this address for next time' })).toBeNull();
  expect(screen.queryByRole('radio', { name: 'Another address' })).toBeNull();
});

test('a visitor who was never here is not asked about, which needs no call', async () => {
  const shop = openOrderPage('/checkout', { 'last-address': LAST }, { cart });
  await act(() => Promise.resolve());
  expect(shop.calls('last-address')).toEqual([]);
});

const amma = {
  ...home,
  _id: 'a1',
  name: 'Sudha Nair',
  address1: '9 Gandhi Nagar',
  city: 'Chennai',
  state: 'Tamil Nadu',
  postalCode: '600020',
  email: '',
  isDefault: true,
};
const office = { ...home, _id: 'a2', name: 'Meera Nair', address1: '2 Dock Road', email: 'office@example.com', isDefault: false };
const radio = (name: string) => screen.findByRole<HTMLInputElement>('radio', { name });

test('a shopper who keeps addresses gets the default filled in, chooses another, and types a new one', async () => {
  const KEPT = { data: { addresses: [amma, office] } };
  const shop = openOrderPage('/checkout', { '/user/addresses': KEPT, 'last-address': LAST }, { cart, shopper: meera });
  expect((await radio('Sudha Nair')).checked).toBe(true);
  expect([getField('Name').value, getField('Address line 1').value, getField('Email').value]).toEqual([
    'Sudha Nair',
    '9 Gandhi Nagar',
    meera.email,
  ]);
  expect(shop.calls('last-address')).toEqual([]);
  expect(screen.queryByRole('checkbox', { name: 'Keep this address for next time' })).toBeNull();
  fireEvent.click(await radio('Meera Nair'));
  await waitFor(() => expect([getField('Address line 1').value, getField('Email').value]).toEqual(['2 Dock Road', 'office@example.com']));
  fill('City', 'Mumbai');
  await waitFor(async () => expect((await radio('Another address')).checked).toBe(true));
  fireEvent.click(await radio('Another address'));
  expect(getField('City').value).toBe('Mumbai');
  fireEvent.click(await radio('Sudha Nair'));
  fireEvent.click(await radio('Another address'));
  await waitFor(() => expect([getField('Name').value, getField('City').value, getField('Country').value]).toEqual(['', '', 'India']));
});

test.each([
  [{ status: 201, data: { ...office, _id: 'a3' } }, undefined],
  [
    { status: 409, data: { message: 'You have 20 addresses, which is the most. Please remove one first.' } },
    /was not kept for next time. You have 20 addresses/,
  ],
])('an address is kept on wish when the order is created, and a refusal is told on the review', async (kept, told) => {
  const order = orderThatIs('created');
  let answer: object = { data: { addresses: [] } };
  const shop = openOrderPage(
    '/checkout',
    {
      get '/user/addresses'() {
        return answer;
      },
      'last-address': LAST,
      'create-order': { data: { order } },
      [`get-order/${order._id}`]: { data: order },
    },
    { cart, shopper: meera },
  );
  fireEvent.click(await screen.findByRole('checkbox', { name: 'Keep this address for next time' }));
  await waitFor(() => expect(getField('City').value).toBe('Kochi'));
  answer = kept;
  pay();
  await screen.findByRole('heading', { level: 1, name: 'Review Your Order' });
  expect(shop.asked.findLast(({ url }) => url === '/user/addresses')?.body).toMatchObject({
    address1: '14 Marine Drive',
    name: 'Meera Nair',
  });
  if (told) await screen.findByText(told);
  else expect(screen.queryByText(/was not kept/)).toBeNull();
});

test('the summary of the checkout computes the same amounts as the server, with gift wrap and tax', () => {
  openOrderPage('/checkout', {}, { cart });
  expect(summary().getByText('₹9,350.00')).toBeInstanceOf(HTMLElement);
  expect(summary().getByText('Tax (18%)').nextSibling?.textContent).toBe('₹1,683.00');
  expect(summary().getByText('Total').nextSibling?.textContent).toBe('₹11,033.00');
  fireEvent.click(screen.getByRole('checkbox', { name: /^Gift wrap/ }));
  expect(summary().getByText('Gift Wrap').nextSibling?.textContent).toBe('₹39.00');
  expect(summary().getByText('Total').nextSibling?.textContent).toBe('₹11,072.00');
  expect(summary().getByText(/Secure Checkout Powered by/).parentElement?.textContent).toBe('Secure Checkout Powered by Razorpay');
});

test('the summary of the checkout marks products that are no longer available, and does not count them', () => {
  const [first, second] = cart;
  if (!first || !second) throw new Error('The cart has two lines');
  openOrderPage('/checkout', {}, { cart: [first, { ...second, unavailable: true }] });
  expect(summary().getByText('No longer available')).toBeInstanceOf(HTMLElement);
  expect(summary().getByText('Subtotal').nextSibling?.textContent).toBe('₹6,900.00');
});

test('the summary of the checkout shows four of 100 perfumes, and all on request', () => {
  openOrderPage('/checkout', {}, { cart: createCart(answered(createdWith(100))) });
  expect(summary().getAllByRole('listitem')).toHaveLength(4);
  fireEvent.click(summary().getByRole('button', { name: 'Show all 100 perfumes' }));
  expect(summary().getAllByRole('listitem')).toHaveLength(100);
});

describe('a checkout without an answer', () => {
  beforeEach(() => void vi.useFakeTimers({ shouldAdvanceTime: true }));

  test("repeats the call with the same key, and the cart's call too", async () => {
    const answers: Answers = { ...done, 'create-order': NO_ANSWER };
    const onRepeat = vi.fn<() => void>();
    const shop = openOrderPage('/checkout', answers, { cart, onRepeat });
    fillAll();
    pay();
    await pass(6_000);
    answers['create-order'] = { status: 201, data: { order: draft } };
    press('Try again');
    await waitFor(() => expect(shop.place()).toBe(`/review-order/${ID}`));
    expect(onRepeat).toHaveBeenCalledOnce();
    expect(new Set(shop.calls('create-order').map(({ key }) => key)).size).toBe(1);
  });

  test('shows the notice while the cart loads, too', async () => {
    const onRepeat = vi.fn<() => void>();
    openOrderPage('/checkout', {}, { cart: [], cartKnown: false, onRepeat });
    await pass(6_000);
    press('Try again');
    expect(onRepeat).toHaveBeenCalledOnce();
  });
});

const tryIt = (answer: Answers[string]) => {
  const shop = openOrderPage('/checkout', { 'create-order': answer }, { cart });
  fillAll();
  pay();
  return shop;
};

test.each([
  ['items_unavailable', { 'ruh-gulab': 'Ruh Gulab is no longer available' }, 'Ruh Gulab is no longer available'],
  ['not_enough_in_stock', { [cart[0]?.productId ?? '']: 'Only 2 left' }, `${cart[0]?.product.name}: Only 2 left`],
])('a refused checkout because of %s names each perfume, and links to the cart', async (code, errors, sentence) => {
  tryIt({ status: 409, data: { message: 'Some items are not there', code, errors } });
  const alert = within(await screen.findByRole('alert'));
  expect(alert.getByText(sentence)).toBeInstanceOf(HTMLElement);
  expect(alert.getByRole('link', { name: 'Back to your cart' }).getAttribute('href')).toBe('/cart');
});

test('a refused checkout keeps the form and offers to sign in when the session has ended', async () => {
  const shop = tryIt({ status: 400, data: { message: 'Your cart is empty', code: 'cart_empty' } });
  const alert = within(await screen.findByRole('alert'));
  expect(alert.getByRole('link', { name: 'Sign in' }).getAttribute('href')).toBe('/signin?from=%2Fcheckout');
  expect(shop.told).toContain('sessionDoubted');
  await act(() => shop.router.navigate('/signin'));
  await act(() => shop.router.navigate('/checkout'));
  expect(getField('Address line 1').value).toBe(home.address1);
  expect(screen.queryByRole('alert')).toBeNull();
});

test('a refused checkout shows an error and can be retried when there was no response', async () => {
  tryIt('gone');
  expect((await screen.findByRole('alert')).textContent).toContain('The shop did not answer. Check your connection and try again.');
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Complete Payment' }).disabled).toBe(false);
});

test('an empty cart shows the empty state, and a loading cart shows a skeleton', () => {
  const { view } = openOrderPage('/checkout', {}, { cart: [], cartKnown: false });
  expect(screen.getByText('Loading your cart')).toBeInstanceOf(HTMLElement);
  view.unmount();
  document.title = '';
  openOrderPage('/checkout', {}, { cart: [] });
  expect(screen.getByRole('heading', { level: 1, name: 'Your cart is empty' })).toBeInstanceOf(HTMLElement);
  expect(document.title).toBe('Complete Your Order · RUHANI');
});

test('going back from the review fills the form from the order', async () => {
  const words = mapOrderTexts((text) => `Words of ${text}`);
  const { store } = openOrderPage(
    `/review-order/${ID}`,
    { [`get-order/${ID}`]: { data: answered(created({ giftWrap: true, ...words })) } },
    { cart },
  );
  fireEvent.click(await screen.findByRole('link', { name: 'Edit shipping address' }));
  expect((await screen.findByLabelText<HTMLInputElement>('Address line 1')).value).toBe(home.address1);
  expect(selectCheckoutForm(store.getState())).toMatchObject(words);
  expect(getField(/Gift message/).value).toBe(words.giftMessage);
});
