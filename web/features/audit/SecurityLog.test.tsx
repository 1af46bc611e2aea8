import { fireEvent, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { everythingIsInView } from '../../testing/in-view.ts';
import { answerCalls, renderPart } from '../../testing/shop.tsx';
import { AuditStore } from './AuditStore.tsx';
import { SecurityLog } from './SecurityLog.tsx';

const event = (id: number, kind: string, more: object = {}) => ({
  _id: String(id),
  at: '2026-11-21T08:35:00.000Z',
  kind,
  subject: 'user:0b8c',
  address: '203.0.113.7',
  requestId: `request-${id}`,
  detail: {},
  ...more,
});
const rows = () => within(screen.getByRole('table')).getAllByRole('row').slice(1);

const openLog = () =>
  renderPart(
    <AuditStore>
      <SecurityLog />
    </AuditStore>,
  );

test('the security log shows who did what, when and in which request', async () => {
  answerCalls(() => ({
    data: { events: [event(2, 'downloaded', { detail: { file: 'orders' } }), event(1, 'later_kind', { subject: null })], nextCursor: null },
  }));
  openLog();
  await screen.findByRole('table');
  const [downloaded, unknown] = rows().map((row) => row.textContent);
  for (const text of ['21 Nov 2026, 14:05', 'Table downloaded', 'user:0b8c', '203.0.113.7', 'file: orders', 'request-2'])
    expect(downloaded).toContain(text);
  expect(unknown).toContain('later_kind');
  expect(unknown).toContain('Nobody known');
  expect(screen.queryByText(/^Showing/)).toBeNull();
});

test('the security log loads older entries when the end of the list is near', async () => {
  const asked = answerCalls(({ params }) =>
    params['cursor'] === '9'
      ? { data: { events: [event(8, 'signed_in')], nextCursor: null } }
      : { data: { events: [event(9, 'erased')], nextCursor: '9' } },
  );
  everythingIsInView();
  openLog();
  await screen.findByText('request-8');
  expect(rows().map((row) => within(row).getAllByRole('cell')[1]?.textContent)).toEqual(['User erased', 'Signed in']);
  expect(asked.map(({ url, params }) => [url, params['cursor']])).toEqual([
    ['/audit/security', undefined],
    ['/audit/security', '9'],
  ]);
});

test('the security log shows the entries of one kind, or a message when there are none', async () => {
  answerCalls(({ params }) => ({ data: { events: params['kind'] === 'erased' ? [] : [event(1, 'signed_in')], nextCursor: null } }));
  openLog();
  await screen.findByText('request-1');
  fireEvent.change(screen.getByLabelText('Show'), { target: { value: 'erased' } });
  await screen.findByText('Nothing of this kind has been noted.');
  expect(screen.queryByText('request-1')).toBeNull();
});

test('the security log shows why it could not be loaded, and can be retried', async () => {
  let isAway = true;
  answerCalls(() =>
    isAway ? { status: 503, data: { message: 'Resting' } } : { data: { events: [event(1, 'signed_in')], nextCursor: null } },
  );
  openLog();
  expect((await screen.findByRole('alert')).textContent).toContain('Resting');
  isAway = false;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByText('request-1');
  expect(screen.queryByRole('alert')).toBeNull();
});
