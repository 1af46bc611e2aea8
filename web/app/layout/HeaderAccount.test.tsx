import { act, fireEvent, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { loggedOut, logoutFailed, selectAuth, userFetched } from '../../features/auth/auth-slice.ts';
import { mediaThatHold } from '../../testing/in-view.ts';
import { renderShop } from '../../testing/shop.tsx';
import { Layout } from './Layout.tsx';
import { ananya } from '../../features/auth/testing/open-auth.tsx';
import { press } from '../../testing/interactions.ts';

const show = (path = '/shop?collection=Oud', user?: typeof ananya) => {
  const shown = renderShop([{ Component: Layout, children: [{ path: '*', element: <p>A page</p> }] }], path);
  if (user) act(() => void shown.store.dispatch(userFetched(user)));
  return shown;
};
const header = () => within(screen.getByRole('banner'));
const name = () => header().findByRole('button', { name: 'Ananya' });
const openMenu = async () => {
  const user = userEvent.setup();
  await user.click(await name());
  return { user, menu: within(await screen.findByRole('menu')) };
};

// The menu's chunk is loaded here because on a busy machine it takes longer than a query waits.
beforeAll(() => import('./UserMenu.tsx'), 60_000);
// happy-dom has no popovers. A browser test (accounts.test.ts) covers how this one opens and closes.
beforeAll(() => void Object.assign(HTMLElement.prototype, { hidePopover: () => {} }));
afterAll(() => void Reflect.deleteProperty(HTMLElement.prototype, 'hidePopover'));

describe('the account in the header', () => {
  beforeEach(() => mediaThatHold('(min-width: 48rem)'));

  test('shows the first name of a signed-in shopper, which opens the account menu', async () => {
    show('/', ananya);
    expect(await name()).toBeInstanceOf(HTMLElement);
    expect(header().queryByRole('link', { name: 'Sign in' })).toBeNull();
    const { menu } = await openMenu();
    expect(menu.getByText('Ananya Mehta')).toBeInstanceOf(HTMLElement);
    expect(menu.getByText('ananya@example.com')).toBeInstanceOf(HTMLElement);
    const entries = menu.getAllByRole('menuitem').map((entry) => [entry.textContent, entry.getAttribute('href')]);
    expect(entries).toEqual([
      ['Cart', '/cart'],
      ['Orders', '/viewAllOrders'],
      ['Account', '/account'],
      ['Logout', null],
    ]);
  });

  test('has the way into the Site Manager for an admin', async () => {
    show('/', { ...ananya, isAdmin: true });
    const { menu } = await openMenu();
    expect(menu.getByRole('menuitem', { name: 'Site Manager' }).getAttribute('href')).toBe('/admin/site-manager');
  });

  test('shows no user after a logout', async () => {
    const { store } = show('/', ananya);
    const { user, menu } = await openMenu();
    await user.click(menu.getByRole('menuitem', { name: 'Logout' }));
    expect(selectAuth(store.getState()).loading).toBe(true);
    act(() => void store.dispatch(loggedOut()));
    expect(header().getByRole('link', { name: 'Sign in' })).toBeInstanceOf(HTMLElement);
    expect(document.body.textContent).not.toContain('Ananya');
  });

  test('shows a failed logout until the message is closed', async () => {
    const { store } = show('/', ananya);
    act(() => void store.dispatch(logoutFailed('Logout failed')));
    expect(screen.getByRole('alert').textContent).toContain('Logout failed');
    press('Close');
    expect(screen.queryByRole('alert')).toBeNull();
    expect(await name()).toBeInstanceOf(HTMLElement);
  });
});

describe('the mobile menu', () => {
  beforeEach(() => mediaThatHold());

  const open = (user?: typeof ananya) => {
    const shown = show('/about', user);
    fireEvent.click(header().getByRole('button', { name: 'Menu' }));
    return { ...shown, menu: within(header().getByRole('heading', { name: 'Menu' }).parentElement ?? document.body) };
  };

  test('has a sign-in link for a visitor', () => {
    const { menu } = open();
    expect(menu.getByRole('link', { name: 'Sign In' }).getAttribute('href')).toBe('/signin');
    expect(menu.queryByRole('button', { name: 'Logout' })).toBeNull();
  });

  test('has name, orders and logout for a signed-in shopper', () => {
    const { menu, store } = open(ananya);
    expect(menu.getByText('Ananya Mehta')).toBeInstanceOf(HTMLElement);
    expect(menu.getByText('ananya@example.com')).toBeInstanceOf(HTMLElement);
    expect(menu.getByRole('link', { name: 'Orders' }).getAttribute('href')).toBe('/viewAllOrders');
    fireEvent.click(menu.getByRole('button', { name: 'Logout' }));
    expect(selectAuth(store.getState()).loading).toBe(true);
  });
});

describe('the link to the Site Manager in the footer', () => {
  beforeEach(() => mediaThatHold('(min-width: 48rem)'));
  const link = () => within(screen.getByRole('contentinfo')).queryByRole('link', { name: 'Site Manager' });

  test('is shown to an admin until the logout, and to nobody else', () => {
    const { store } = show('/', { ...ananya, isAdmin: true });
    expect(link()?.getAttribute('href')).toBe('/admin/site-manager');
    for (const other of [loggedOut(), userFetched(ananya)]) {
      act(() => void store.dispatch(other));
      expect(link()).toBeNull();
    }
  });
});
