import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { daysAfter, dateInIndia, instant } from '#domain/shared/time.ts';
import { openSiteManager } from '../testing/open-site-manager.tsx';
import { write } from '../../../testing/interactions.ts';

const today = dateInIndia(instant(new Date().toISOString()));
const setAt = '2026-11-20T08:00:00.000Z';
const rule = (rate: number, from: string, hsn = '3303') => ({ hsn, rate, from, setAt, by: 'Meera Nair' });

const open = (rules: object[], refusal?: { status: number; data: object }) =>
  openSiteManager('tax', {
    instead: ({ url, body }) => {
      if (url !== '/admin/tax') return undefined;
      if (body === undefined) return { data: { rules: [...rules] } };
      if (refusal) return refusal;
      rules.push({ ...body, setAt, by: 'Meera Nair' });
      return { status: 201, data: body };
    },
  });

const states = async () => {
  await screen.findByRole('table', { name: /Tax rates/ });
  return screen
    .getAllByRole('row')
    .slice(1)
    .map((row) =>
      within(row)
        .getAllByRole('cell')
        .slice(0, 3)
        .map((cell) => (cell.firstElementChild ?? cell).textContent),
    );
};

test('each tax rule shows whether it is current, future, ended or replaced, and who set it', async () => {
  open([rule(18, '2017-07-01'), rule(28, daysAfter(today, 5)), rule(12, today), rule(5, today)]);
  expect((await states()).map(([rate, , state]) => [rate, state])).toEqual([
    ['28%', 'To come'],
    ['12%', 'Replaced'],
    ['5%', 'Applies today'],
    ['18%', 'Ended'],
  ]);
  expect(screen.getAllByText(/by Meera Nair/)).toHaveLength(4);
});

test('a new rate is set, confirmed and listed', async () => {
  open([]);
  write(await screen.findByLabelText('HSN code'), '3307');
  write(screen.getByLabelText('Rate in %'), '12.5');
  await userEvent.click(screen.getByRole('button', { name: 'Set Rate' }));
  expect(await screen.findByText(/^3307 is taxed at 12.5% from /)).toBeInstanceOf(HTMLElement);
  expect(await states()).toMatchObject([['12.5%', expect.any(String), 'Applies today']]);
});

test("errors are shown under their fields, the server's too", async () => {
  open([], { status: 400, data: { message: 'Please correct the marked fields', errors: { from: 'From today on, or later' } } });
  await userEvent.click(await screen.findByRole('button', { name: 'Set Rate' }));
  expect(await screen.findAllByText('Required')).toHaveLength(2);
  write(screen.getByLabelText('HSN code'), '33');
  write(screen.getByLabelText('Rate in %'), '101');
  expect(await screen.findByText('4, 6 or 8 digits')).toBeInstanceOf(HTMLElement);
  expect(await screen.findByText('From 0 to 100, with two decimals at most')).toBeInstanceOf(HTMLElement);
  write(screen.getByLabelText('Rate in %'), '10');
  write(screen.getByLabelText('HSN code'), '3303');
  await userEvent.click(screen.getByRole('button', { name: 'Set Rate' }));
  expect(await screen.findByText('From today on, or later')).toBeInstanceOf(HTMLElement);
});
