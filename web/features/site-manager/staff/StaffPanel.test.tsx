import { act, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import { instant } from '#domain/shared/time.ts';
import type { StaffRole } from '#domain/staff/duties.ts';
import { getTexts, press, write } from '../../../testing/interactions.ts';
import { mediaThatHold } from '../../../testing/in-view.ts';
import { type Answer, type Call, createLateAnswer } from '../../../testing/shop.tsx';
import { at, openDialog, openSiteManager } from '../testing/open-site-manager.tsx';
import type { StaffMember } from './staff-api.ts';

const member = (name: string, roles: readonly StaffRole[], more: Partial<StaffMember> = {}): StaffMember => ({
  _id: `id-${name}`,
  name,
  email: `${name.toLowerCase()}@ruhani.example`,
  roles,
  disabled: false,
  totp: true,
  lastSeenAt: instant('2026-11-21T09:10:00.000Z'),
  ...more,
});
const [mira, devika, rahul] = [member('Mira', ['owner']), member('Devika', ['orders', 'money']), member('Rahul', [], { disabled: true })];
const geeta = member('', ['orders'], {
  _id: 'invitation',
  email: 'geeta@ruhani.example',
  lastSeenAt: null,
  invitedUntil: instant('2026-11-24T08:30:00.000Z'),
});

const open = (staff: StaffMember[], answer: (call: Call) => { status?: number; data: object } | undefined = () => undefined) => {
  const asked = openSiteManager('staff', {
    instead: (call) => {
      if (!call.url.startsWith('/admin/staff')) return undefined;
      if (call.body === undefined) return { data: { staff } };
      return answer(call) ?? { data: staff[0] ?? {} };
    },
  }).asked;
  return () => asked.filter(({ url, body }) => url.startsWith('/admin/staff') && body !== undefined).map(({ url, body }) => [url, body]);
};

const box = (name: string) => screen.findByRole('checkbox', { name });

test('the staff are listed with their roles, their last visit and open invitations', async () => {
  open([mira, devika, geeta, rahul]);
  await box('Owner, Mira');
  const table = screen.getByRole('table', { name: 'Who may do what' });
  const seen = within(table)
    .getAllByRole('row')
    .slice(1)
    .map((row) => within(row).getAllByRole('cell').at(-2)?.textContent);
  expect(seen).toEqual(['21 Nov, 14:40', '21 Nov, 14:40', 'Invited, open until 24 Nov, 14:00', 'Switched off']);
  expect(getTexts(within(table).getAllByRole('button'))).toEqual(['Switch off', 'Switch off', 'Take back', 'Invite again', 'Switch on']);
  expect(screen.getByText('2 with rights')).toBeInstanceOf(HTMLElement);
  const ticked = within(table)
    .getAllByRole('checkbox', { checked: true })
    .map((each) => each.getAttribute('aria-label'));
  expect(ticked).toEqual(['Owner, Mira', 'Orders, Devika', 'Money, Devika', 'Orders, geeta@ruhani.example']);
});

test('a tick gives or takes a role, and the last owner keeps theirs', async () => {
  const sent = open([mira, devika]);
  await userEvent.click(await box('Catalogue, Devika'));
  await waitFor(() => expect(sent()).toEqual([['/admin/staff/id-Devika', { roles: ['catalogue', 'orders', 'money'] }]]));
  expect((await box('Owner, Mira')).hasAttribute('disabled')).toBe(true);
  expect((await box('Owner, Devika')).hasAttribute('disabled')).toBe(false);
});

const saved = (name: string) => screen.findByText(name, { selector: '[role=status] *' });

test('a role that was taken does not come back with the next tick, though the list has not been sent again', async () => {
  const { asked, server } = openSiteManager('staff', { instead: at('/admin/staff', { data: { staff: [mira, devika] } }) });
  const money = await box('Money, Devika');
  server.instead = ({ url, body }) => {
    if (url === '/admin/staff') return createLateAnswer<Answer>().promise;
    return url === '/admin/staff/id-Devika' && body ? { data: { ...devika, ...body } } : undefined;
  };
  await userEvent.click(money);
  await saved('Devika: Orders');
  expect(money).toHaveProperty('checked', false);
  await userEvent.click(await box('Catalogue, Devika'));
  await saved('Devika: Catalogue, Orders');
  expect(asked.filter(({ url }) => url === '/admin/staff/id-Devika').map(({ body }) => body)).toEqual([
    { roles: ['orders'] },
    { roles: ['catalogue', 'orders'] },
  ]);
});

test('a list that was on its way before a change does not take the change back', async () => {
  const { server, asked } = openSiteManager('staff', { instead: at('/admin/staff', { data: { staff: [mira, devika] } }) });
  const money = await box('Money, Devika');
  const changed = { ...devika, roles: ['orders'] };
  const { promise, answer } = createLateAnswer();
  server.instead = at('/admin/staff', promise);
  act(() => void window.dispatchEvent(new Event('focus')));
  const lists = (times: number) => waitFor(() => expect(asked.filter(({ url }) => url === '/admin/staff')).toHaveLength(times));
  await lists(2);
  server.instead = (call) =>
    at('/admin/staff', { data: { staff: [mira, changed] } })(call) ?? at('/admin/staff/id-Devika', { data: changed })(call);
  await userEvent.click(money);
  await saved('Devika: Orders');
  await lists(3);
  await act(async () => answer({ data: { staff: [mira, devika] } }));
  expect(money).toHaveProperty('checked', false);
});

test('of two owners neither is locked', async () => {
  open([mira, member('Asha', ['owner'])]);
  expect((await box('Owner, Mira')).hasAttribute('disabled')).toBe(false);
});

test('a refusal is told', async () => {
  open([mira, devika], () => ({ status: 409, data: { message: 'This is the last owner.', code: 'last_owner' } }));
  await userEvent.click(await box('Money, Devika'));
  expect((await screen.findAllByText('This is the last owner.')).length).toBeGreaterThan(0);
});

test.each([
  ['Switch off, Devika', ['/admin/staff/id-Devika', { disabled: true }]],
  ['Switch on, Rahul', ['/admin/staff/id-Rahul', { disabled: false }]],
  ['Take back, geeta@ruhani.example', ['/admin/staff/invitation', { roles: [] }]],
  ['Invite again, geeta@ruhani.example', ['/admin/staff', { email: 'geeta@ruhani.example', roles: ['orders'] }]],
])('%s', async (name, command) => {
  const sent = open([mira, devika, rahul, geeta]);
  await userEvent.click(await screen.findByRole('button', { name }));
  await waitFor(() => expect(sent()).toEqual([command]));
});

test('somebody is invited with an address and roles', async () => {
  const sent = open([mira]);
  await userEvent.click(await screen.findByRole('button', { name: 'Invite' }));
  press('Send invitation');
  expect(await screen.findByText('Required')).toBeInstanceOf(HTMLElement);
  write(screen.getByLabelText('E-mail'), 'farida@ruhani.example');
  await userEvent.click(await box('Orders'));
  press('Send invitation');
  expect(await screen.findByText('Choose at least one')).toBeInstanceOf(HTMLElement);
  await userEvent.click(await box('Money'));
  press('Send invitation');
  await waitFor(() => expect(sent()).toEqual([['/admin/staff', { email: 'farida@ruhani.example', roles: ['money'] }]]));
});

test('on a phone the roles of a person are changed in a dialog', async () => {
  const sent = open([mira, devika]);
  mediaThatHold();
  await screen.findByRole('list', { name: 'Staff' });
  const dialog = await openDialog('Change, Devika');
  await userEvent.click(dialog.getByRole('checkbox', { name: 'Orders' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(sent()).toEqual([['/admin/staff/id-Devika', { roles: ['money'] }]]));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

describe('a member sees the panels of their roles', () => {
  const everywhere = ['Subscribers', 'Sales', 'Health'];
  test.each<[StaffRole[], string[]]>([
    [['catalogue'], ['Tax', 'Products', 'Stock', ...everywhere]],
    [['orders'], ['Orders', 'Returns', 'Messages', 'Reviews', 'Customers', ...everywhere]],
    [['money'], ['Orders', 'Money', 'Invoices', ...everywhere]],
    [
      ['catalogue', 'money'],
      ['Orders', 'Money', 'Invoices', 'Tax', 'Products', 'Stock', ...everywhere],
    ],
    [
      ['money', 'auditor'],
      ['Orders', 'Money', 'Invoices', ...everywhere, 'Audit'],
    ],
  ])('%j', async (roles, names) => {
    const { asked } = openSiteManager('', {}, roles);
    const nav = within(await screen.findByRole('navigation', { name: 'Panels' }));
    expect(nav.getAllByRole('link').map((link) => link.textContent.replaceAll(/[\d ]+(?:to do|new|waiting)?.*$/g, '').trim())).toEqual(
      names,
    );
    await waitFor(() => expect(asked.length).toBeGreaterThan(1));
    const may = { '/admin/orders': ['orders', 'money'], '/contact': ['orders'], '/admin/orders/next': ['orders', 'money'] };
    for (const [url, allowed] of Object.entries(may))
      if (!roles.some((role) => allowed.includes(role))) expect(asked.map((call) => call.url)).not.toContain(url);
  });

  test('money reads orders and moves none', async () => {
    openSiteManager('orders', {}, ['money']);
    const order = within(await screen.findByRole('article', { name: /^Order / }));
    expect(order.queryByRole('button', { name: /Confirm|Cancel|Mark/ })).toBeNull();
    expect(order.queryByRole('link', { name: /^Packing slip|^Label/ })).toBeNull();
  });
});
