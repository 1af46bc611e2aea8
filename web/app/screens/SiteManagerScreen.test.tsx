import { act, configure, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { loggedIn, loggedOut, userFetched, userFetchFailed, userFetchRequested } from '../../features/auth/auth-slice.ts';
import { FakeLive } from '../../features/site-manager/testing/open-site-manager.tsx';
import { openAdminStore } from '../../features/site-manager/admin-store.ts';
import { api } from '../../lib/http/api.ts';
import { DESKTOP, mediaThatHold } from '../../testing/in-view.ts';
import { answerCalls, renderPart, renderRoutes } from '../../testing/shop.tsx';
import { createStore } from '../store.ts';
import { siteManagerScreen } from './SiteManagerScreen.tsx';
import { ananya } from '../../features/auth/testing/open-auth.tsx';

const { Component: SiteManagerScreen } = siteManagerScreen;

const alice = { ...ananya, isAuditor: true, roles: ['auditor'] as const };
const mira = { ...ananya, isAdmin: true, isAuditor: true, roles: ['owner'] as const };
const REFUSAL = 'Sorry!!! You are not authorised to this page';

// The first admin loads the Site Manager's chunk, which takes long on a busy machine.
configure({ asyncUtilTimeout: 30_000 });
vi.setConfig({ testTimeout: 60_000 });

beforeEach(() => {
  FakeLive.latest = undefined;
  mediaThatHold(...DESKTOP);
  vi.stubGlobal('EventSource', FakeLive);
});

const open = () => {
  const asked = answerCalls(() => ({ status: 503, data: { message: 'Resting' } }));
  return { asked, ...renderPart(<SiteManagerScreen />, '/admin/site-manager?panel=sales') };
};

test('the Site Manager refuses a visitor, with a sign-in link, a shopper and an auditor, and makes no call', () => {
  const { asked, store } = open();
  expect(screen.getByRole('heading', { level: 1, name: REFUSAL })).toBeInstanceOf(HTMLElement);
  expect(screen.getByRole('link', { name: 'Sign In' }).getAttribute('href')).toBe('/signin?from=%2Fadmin%2Fsite-manager%3Fpanel%3Dsales');
  act(() => void store.dispatch(userFetched(alice)));
  expect(screen.getByRole('heading', { level: 1, name: REFUSAL })).toBeInstanceOf(HTMLElement);
  expect(screen.queryByRole('link', { name: 'Sign In' })).toBeNull();
  expect(asked).toEqual([]);
  expect(FakeLive.latest).toBeUndefined();
});

test('the Site Manager refuses nobody until it is known who is signed in', () => {
  const { store } = open();
  act(() => void store.dispatch(userFetchRequested()));
  expect(screen.queryByText(REFUSAL)).toBeNull();
  act(() => void store.dispatch(userFetchFailed('Failed to fetch user')));
  expect(screen.getByText(REFUSAL)).toBeInstanceOf(HTMLElement);
});

test('the Site Manager opens for an admin and disappears at the logout', async () => {
  const { asked, store } = open();
  act(() => void store.dispatch(userFetched(mira)));
  expect(await screen.findByRole('heading', { level: 1, name: 'Site Manager' })).toBeInstanceOf(HTMLElement);
  await expect.poll(() => asked.map(({ url }) => url)).toContain('/admin/stats');
  act(() => void store.dispatch(loggedOut()));
  expect(screen.queryByRole('heading', { name: 'Site Manager' })).toBeNull();
  expect(screen.getByText(REFUSAL)).toBeInstanceOf(HTMLElement);
});

test("the Site Manager keeps subscribers and messages in the shop's state only while it is open", async () => {
  const subscriber = { _id: 's1', email: 'ananya@example.com', isActive: true, createdAt: '2026-11-01T00:00:00Z' };
  const contact = { _id: 'c1', name: 'Rhea', email: 'rhea@example.com', phone: '', message: 'Mitti?', createdAt: '2026-11-01T00:00:00Z' };
  answerCalls(({ url }) => {
    if (url === '/subscribe') return { data: [subscriber] };
    return url === '/contact' ? { data: { data: [contact], nextCursor: null } } : { status: 503, data: { message: 'Resting' } };
  });
  const { store, view } = renderPart(<SiteManagerScreen />, '/admin/site-manager?panel=sales');
  const listed = () => [store.getState().subscriber.subscribers, store.getState().contact.contacts];
  expect(listed()).toEqual([[], []]);
  act(() => void store.dispatch(userFetched(mira)));
  await expect.poll(listed).toEqual([[subscriber], [contact]]);
  view.unmount();
  expect(listed()).toEqual([[], []]);
});

test('the Site Manager keeps an unsent answer while other panels are read, and not for the next admin', async () => {
  const message = { _id: 'c1', name: 'Rhea', email: 'rhea@example.com', phone: '', message: 'Mitti?', createdAt: '2026-11-01T00:00:00Z' };
  const data = { data: [{ ...message, state: 'new', answers: [] }], nextCursor: null, waiting: 1 };
  answerCalls(({ url }) => (url === '/contact' ? { data } : { status: 503, data: { message: 'Resting' } }));
  const store = createStore({ api, navigate: () => {} });
  const { router } = renderRoutes(store, [{ path: '*', Component: SiteManagerScreen }], '/admin/site-manager?panel=messages&open=c1');
  const box = () => screen.findByRole('textbox', { name: /^Your answer/ });
  act(() => void store.dispatch(loggedIn(mira)));
  await userEvent.type(await box(), 'Dear Rhea');
  await act(() => router.navigate('?panel=tax'));
  await act(() => router.navigate('?panel=messages&open=c1'));
  expect(await box()).toHaveProperty('value', 'Dear Rhea');
  act(() => void store.dispatch(loggedOut()));
  act(() => void store.dispatch(loggedIn({ ...mira, _id: 'devika' })));
  expect(await box()).toHaveProperty('value', '');
});

test('the Site Manager shows the card and the page of a perfume while it is written', async () => {
  answerCalls(({ url }) =>
    url === '/admin/products' ? { data: { products: [], nextCursor: null } } : { status: 503, data: { message: 'Resting' } },
  );
  const { store } = renderPart(<SiteManagerScreen />, '/admin/site-manager?panel=products');
  act(() => void store.dispatch(userFetched(mira)));
  await userEvent.click(await screen.findByRole('button', { name: 'Add Product' }));
  const card = within(await screen.findByRole('region', { name: 'Card' }));
  expect(card.getByText('A card needs a name.')).toBeInstanceOf(HTMLElement);
  await userEvent.type(screen.getByRole('textbox', { name: 'Product Name' }), 'Mogra at Dusk');
  for (const sheet of ['Card', 'Page'])
    expect(within(screen.getByRole('region', { name: sheet })).getAllByText('Mogra at Dusk')).not.toEqual([]);
});

test('the Site Manager keeps no list after the admin has logged out', async () => {
  answerCalls(() => ({ status: 503, data: { message: 'Resting' } }));
  const store = createStore({ api, navigate: () => {} });
  renderRoutes(store, [{ path: '*', Component: SiteManagerScreen }], '/admin/site-manager?panel=sales');
  act(() => void store.dispatch(loggedIn(mira)));
  await screen.findByRole('heading', { level: 1, name: 'Site Manager' });
  const before = openAdminStore(mira._id);
  act(() => void store.dispatch(loggedOut()));
  expect(openAdminStore(mira._id)).not.toBe(before);
});
