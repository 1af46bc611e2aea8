import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { beforeEach, expect, test } from 'vitest';
import { fill, getNote, getTexts, press } from '../../testing/interactions.ts';
import { answerCalls, renderShop, type Answer, type Call } from '../../testing/shop.tsx';
import type { AccountHolder } from './account-api.ts';
import { AccountPage } from './AccountPage.tsx';
import { TakeBackEmailPage } from './TakeBackEmailPage.tsx';

const account = { createdAt: '2026-03-04T05:06:07.000Z', hasPassword: true, google: false, totpSince: null, recoveryCodesLeft: 0 };
const sessions = [
  { _id: 'a', device: 'Firefox on Linux', address: '49.36.81.207', lastUsedAt: '2026-11-21T03:40:00.000Z', current: true },
  { _id: 'b', device: 'Chrome on Android', address: '49.36.81.207', lastUsedAt: '2026-11-21T03:42:00.000Z', current: false },
  { _id: 'c', device: null, address: null, lastUsedAt: '2026-11-14T17:10:00.000Z', current: false },
];

let user: AccountHolder;
let again: number;
beforeEach(() => {
  user = { name: 'Ananya', email: 'ananya@example.com', phone: '+91 98200 55501', totp: false };
  again = 0;
});

const Page = () => {
  const [shown, setShown] = useState(user);
  const change = (changed: Partial<AccountHolder>) => {
    user = { ...user, ...changed };
    setShown(user);
  };
  return (
    <AccountPage user={shown} google={null} wishlist={null} onChanged={change} onSignInAgain={() => (again += 1)} onErased={() => {}} />
  );
};

/** `answers` are by method and path below `/user`. */
const open = async (answers: Readonly<Record<string, (call: Call) => Answer>> = {}) => {
  const ended = new Set<string>();
  const asked = answerCalls((call) => {
    const path = call.url.replace('/user/', '');
    const own = answers[path];
    if (own) return own(call);
    if (path === 'account') return { data: account };
    if (path === 'sessions') return { data: { sessions: sessions.filter(({ _id }) => !ended.has(_id)) } };
    if (path.startsWith('sessions/')) ended.add(path.replace('sessions/', ''));
    return { data: {} };
  });
  renderShop([{ path: '/account', element: <Page /> }], '/account');
  await screen.findByText(/with the house since March 2026/);
  const bodies = (path: string) => asked.filter(({ url }) => url === `/user/${path}`).map(({ body }) => body);
  return { asked, bodies };
};
const section = (name: string) => within(screen.getByRole('region', { name }));

test('the contents lead to every part of the page', async () => {
  await open();
  const links = within(screen.getByRole('navigation', { name: 'On this page' })).getAllByRole('link');
  for (const link of links) expect(document.querySelector(link.getAttribute('href') ?? '')?.tagName).toBe('SECTION');
  expect(getTexts(links)).toEqual(getTexts(screen.getAllByRole('heading', { level: 2 })));
});

test('name and phone are saved, and a refusal stands at its field', async () => {
  let answer: Answer = { status: 400, data: { message: 'Please correct', errors: { phone: 'Please enter a valid phone number' } } };
  const { bodies } = await open({ profile: () => answer });
  fill('Name', 'Ananya Mehta');
  press('Save');
  await waitFor(() => expect(getNote(/^Phone/)).toBe('Please enter a valid phone number'));
  answer = { data: { ...user, name: 'Ananya Mehta' } };
  press('Save');
  expect(await screen.findByText(/^Ananya Mehta, with the house/)).toBeInstanceOf(HTMLElement);
  expect(bodies('profile').at(-1)).toEqual({ name: 'Ananya Mehta', phone: '+91 98200 55501' });
});

test('the password is changed with the current one, says what ends, and empties its fields', async () => {
  let answer: Answer = { status: 403, data: { message: 'Wrong password', code: 'wrong_password' } };
  const { bodies } = await open({ password: () => answer });
  expect(await screen.findByText('Ends your 2 other sessions.')).toBeInstanceOf(HTMLElement);
  for (const label of ['Current password', 'New password', 'Confirm password']) fill(label, 'jasmine after the rain');
  press('Change password');
  await waitFor(() => expect(getNote('Current password')).toBe('Wrong password'));
  answer = { data: { message: 'Your password is changed.' } };
  press('Change password');
  expect(await screen.findByText('Your password is changed.')).toBeInstanceOf(HTMLElement);
  expect(screen.getByLabelText<HTMLInputElement>('Current password').value).toBe('');
  expect(bodies('password')).toHaveLength(2);
});

test('who has no password sets one without, and is led to a new sign-in when the last one is too old', async () => {
  await open({
    account: () => ({ data: { ...account, hasPassword: false } }),
    password: () => ({ status: 403, data: { message: 'Please sign in again to change your password', code: 'sign_in_again' } }),
  });
  expect(screen.queryByLabelText('Current password')).toBeNull();
  for (const label of ['New password', 'Confirm password']) fill(label, 'jasmine after the rain');
  press('Set a password');
  fireEvent.click(await screen.findByRole('button', { name: 'Sign in again' }));
  expect(again).toBe(1);
});

test('the e-mail address is changed with password and mailed code', async () => {
  let code: Answer = { status: 400, data: { message: 'Invalid OTP', code: 'invalid_otp' } };
  const { bodies } = await open({
    'email/confirm': () => code,
  });
  press('Change e-mail');
  fill('New e-mail', 'new@example.com');
  fill('Your password', 'rose water at dusk');
  press('Send a code to it');
  expect(await screen.findByText('We have sent a 6-digit code to new@example.com.')).toBeInstanceOf(HTMLElement);
  fill('Code from the mail', '123456');
  press('Change e-mail');
  await waitFor(() => expect(getNote('Code from the mail')).toBe('Invalid OTP'));
  code = { data: { ...user, email: 'new@example.com' } };
  press('Change e-mail');
  expect(await screen.findByText('Your e-mail address is changed.')).toBeInstanceOf(HTMLElement);
  expect(section('E-mail').getByText('new@example.com')).toBeInstanceOf(HTMLElement);
  expect(bodies('email')).toEqual([{ email: 'new@example.com', password: 'rose water at dusk' }]);
});

test('the second factor is turned on with QR code and digits, and its recovery codes are shown until they are kept', async () => {
  const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
  const recoveryCodes = Array.from({ length: 10 }, (_, index) => `k7vq-3md${index}`);
  let confirmed: Answer = { status: 401, data: { message: 'Wrong code', code: 'wrong_code' } };
  const { asked, bodies } = await open({
    'totp/begin': () => ({ data: { secret, otpauthUrl: `otpauth://totp/Ruhani:ananya?secret=${secret}&issuer=Ruhani` } }),
    'totp/confirm': () => confirmed,
  });
  press('Turn it on');
  const picture = await screen.findByRole('img', { name: 'QR code for your authenticator' });
  expect(picture.querySelector('path')?.getAttribute('d')?.length).toBeGreaterThan(1_000);
  expect(screen.getByText('JBSW Y3DP EHPK 3PXP JBSW Y3DP EHPK 3PXP')).toBeInstanceOf(HTMLElement);
  fill('Enter the six digits that it shows.', '402711');
  press('Turn it on');
  await waitFor(() => expect(getNote('Enter the six digits that it shows.')).toBe('Wrong code'));
  confirmed = { data: { recoveryCodes } };
  press('Turn it on');
  const dialog = within(await screen.findByRole('dialog', { name: 'Keep these ten codes' }));
  expect(getTexts(dialog.getAllByRole('listitem'))).toEqual(recoveryCodes);
  fireEvent.keyDown(document, { key: 'Escape' });
  expect(dialog.getByText('k7vq-3md0')).toBeInstanceOf(HTMLElement);
  act(() => press('I have kept them'));
  await waitFor(() => expect(screen.queryByText('k7vq-3md0')).toBeNull());
  expect(bodies('totp/confirm')).toHaveLength(2);
  // A repetition after a lost answer brings the same codes.
  expect(asked.findLast(({ url }) => url === '/user/totp/confirm')?.key).toEqual(expect.any(String));
  expect(screen.getByRole('button', { name: 'Turn it off' })).toBeInstanceOf(HTMLElement);
});

test('the second factor is turned off with password and code, each refusal at its field', async () => {
  user = { ...user, totp: true };
  let answer: Answer = { status: 401, data: { message: 'Wrong code', code: 'wrong_code' } };
  const { bodies } = await open({
    account: () => ({ data: { ...account, totpSince: '2026-11-21T03:40:00.000Z', recoveryCodesLeft: 9 } }),
    'totp/remove': () => answer,
  });
  expect(screen.getByText('On since 21 Nov 2026')).toBeInstanceOf(HTMLElement);
  expect(screen.getByText('9 recovery codes left')).toBeInstanceOf(HTMLElement);
  press('Turn it off');
  fill('Your password', 'rose water at dusk');
  fill('Code from your telephone', '402711');
  press('Turn it off');
  await waitFor(() => expect(getNote('Code from your telephone')).toBe('Wrong code'));
  answer = { data: { message: 'off' } };
  press('Turn it off');
  expect(await screen.findByText('The second factor is off.')).toBeInstanceOf(HTMLElement);
  expect(bodies('totp/remove')).toHaveLength(2);
});

test('sessions are listed, and ended one by one or all at once', async () => {
  const { asked } = await open();
  const rows = () => getTexts(section('Where you are signed in').getAllByRole('listitem'));
  await waitFor(() => expect(rows()).toHaveLength(3));
  expect(rows()[0]).toBe('Firefox on Linuxthis one49.36.81.207, now');
  expect(rows()[1]).toContain('last used 21 Nov, 09:12');
  expect(rows()[2]).toContain('Unknown devicelast used 14 Nov, 22:40');
  press('End Chrome on Android');
  await waitFor(() => expect(rows()).toHaveLength(2));
  expect(screen.getByText('Chrome on Android is signed out.')).toBeInstanceOf(HTMLElement);
  expect(screen.queryByRole('button', { name: 'End all others' })).toBeNull();
  press('End Unknown device');
  await waitFor(() => expect(rows()).toHaveLength(1));
  expect(asked.filter(({ url }) => url.startsWith('/user/sessions/')).map(({ url }) => url)).toEqual([
    '/user/sessions/b',
    '/user/sessions/c',
  ]);
});

test('one of several sessions that could not be ended is told, until the next try', async () => {
  let answer: Answer = { status: 503, data: { message: 'Please try again in a moment.' } };
  await open({ 'sessions/b': () => answer });
  fireEvent.click(await screen.findByRole('button', { name: 'End all others' }));
  expect((await screen.findByRole('alert')).textContent).toBe('Please try again in a moment.');
  expect(screen.queryByText('All others are signed out.')).toBeNull();
  answer = { data: {} };
  press('End Chrome on Android');
  expect(await screen.findByText('Chrome on Android is signed out.')).toBeInstanceOf(HTMLElement);
  expect(screen.queryByRole('alert')).toBeNull();
});

test('all other sessions are ended with one button', async () => {
  await open();
  fireEvent.click(await screen.findByRole('button', { name: 'End all others' }));
  expect(await screen.findByText('All others are signed out.')).toBeInstanceOf(HTMLElement);
  await waitFor(() => expect(section('Where you are signed in').getAllByRole('listitem')).toHaveLength(1));
});

test('the link of a former address takes it back with a click, not by being opened', async () => {
  let takenBack = 0;
  const asked = answerCalls(() => ({ data: { message: 'Your account has this address again.' } }));
  renderShop(
    [{ path: '/take-back-email', element: <TakeBackEmailPage onTakenBack={() => (takenBack += 1)} /> }],
    '/take-back-email?token=abc',
  );
  await waitFor(() => expect(window.location.search).toBe(''));
  expect(asked).toEqual([]);
  press('Take it back');
  expect(await screen.findByText('Your account has this address again.')).toBeInstanceOf(HTMLElement);
  expect(asked.map(({ url, body }) => ({ url, body }))).toEqual([{ url: '/user/email/take-back', body: { token: 'abc' } }]);
  expect(takenBack).toBe(1);
});
