import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { home } from '#domain/testing/orders.ts';
import { fill, getField, getNote, press } from '../../testing/interactions.ts';
import { answerCalls, renderPart, type Answer, type Call } from '../../testing/shop.tsx';
import { AddressesSection } from './AddressesSection.tsx';

const mine = { ...home, _id: 'a1', isDefault: true };
const amma = { ...home, _id: 'a2', name: 'Sudha Nair', address1: '9 Gandhi Nagar', email: '', isDefault: false };

/** The list is answered with these addresses, any change with `answer`. */
const show = (answer: (call: Call) => Answer = () => ({ data: {} })) => {
  const asked = answerCalls((call) =>
    call.body === undefined && call.url === '/user/addresses' ? { data: { addresses: [mine, amma] } } : answer(call),
  );
  renderPart(<AddressesSection />);
  return { asked, count: () => asked.filter(({ url, body }) => url === '/user/addresses' && body === undefined).length };
};
const entry = async (name: string) => within((await screen.findByText(name, { selector: 'p' })).closest('li') ?? document.body);

test('the addresses are listed with the default, and another is made it or removed', async () => {
  const { asked, count } = show();
  expect((await entry('Meera Nair')).getByText('Default')).toBeInstanceOf(HTMLElement);
  expect((await entry('Meera Nair')).queryByRole('button', { name: /^Make default/ })).toBeNull();
  press('Make default the address of Sudha Nair, 9 Gandhi Nagar');
  await waitFor(() => expect(count()).toBe(2));
  expect(asked.find(({ url }) => url === '/user/addresses/a2')?.body).toMatchObject({ name: 'Sudha Nair', isDefault: true });
  press('Delete the address of Meera Nair, 14 Marine Drive');
  await waitFor(() => expect(count()).toBe(3));
  expect(asked.some(({ url, body }) => url === '/user/addresses/a1' && body === undefined)).toBe(true);
});

test('an address is added when it is complete; an e-mail is not needed, and a refusal is told', async () => {
  let answer: Answer = { status: 409, data: { message: 'You have 20 addresses, which is the most. Please remove one first.' } };
  const { asked, count } = show(() => answer);
  await entry('Meera Nair');
  press('Add an address');
  expect(getField('Country').value).toBe('India');
  press('Save the address');
  await waitFor(() => expect(getNote('Name')).toBe('Required'));
  expect(getNote(/^Email/)).toBeUndefined();
  for (const [label, text] of [
    ['Name', 'Ravi'],
    ['Address line 1', '2 Dock Road'],
    ['City', 'Kochi'],
    ['State', 'Kerala'],
    ['Postal code', '400001'],
    ['Phone', '98765 4321'],
  ] as const)
    fill(label, text);
  press('Save the address');
  // As at checkout, what looks wrong is doubted once, and may be sent again.
  await waitFor(() => expect(getNote('Postal code')).toMatch(/^400001 is no PIN of Kerala/));
  expect(getNote('Phone')).toMatch(/^Please enter ten digits/);
  expect(asked.filter(({ body }) => body !== undefined)).toEqual([]);
  press('Save the address');
  expect((await screen.findByRole('alert')).textContent).toMatch(/^You have 20 addresses/);
  answer = { status: 201, data: {} };
  const before = count();
  press('Save the address');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(asked.find(({ body }) => body !== undefined)?.body).toMatchObject({ name: 'Ravi', email: '', country: 'India' });
  await waitFor(() => expect(count()).toBeGreaterThan(before));
});

test('an address is edited from what it is', async () => {
  const { asked } = show();
  await entry('Sudha Nair');
  press('Edit the address of Sudha Nair, 9 Gandhi Nagar');
  expect(getField('Address line 1').value).toBe('9 Gandhi Nagar');
  fill('Address line 1', '10 Gandhi Nagar');
  fill('State', 'Goa');
  await waitFor(() => expect(getField('State').tagName).toBe('SELECT'));
  fill('Country', 'Nepal');
  await waitFor(() => expect(getField('State').tagName).toBe('INPUT'));
  press('Save the address');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(asked.find(({ url }) => url === '/user/addresses/a2')?.body).toMatchObject({ address1: '10 Gandhi Nagar', country: 'Nepal' });
});

test('addresses that do not come can be asked for again', async () => {
  let answer: Answer = { status: 503, data: {} };
  answerCalls(() => answer);
  renderPart(<AddressesSection />);
  expect((await screen.findByRole('alert')).textContent).toContain('Your addresses could not be loaded');
  answer = { data: { addresses: [mine] } };
  press('Try again');
  await entry('Meera Nair');
});
