import { expect, test } from 'vitest';
import { instant } from '#domain/shared/time.ts';
import { stopAt, stopAtMoment } from './OrderAudit.tsx';

const at = (time: string, revision: number) => ({ revision, recordedAt: instant(`2026-11-14T${time}Z`) });
const events = [at('08:33:00.204', 0), at('08:33:52.871', 1), at('11:10:03.118', 2)];

test.each([
  [null, 2],
  ['0', 0],
  ['1', 1],
  ['9', 2],
  ['2026-11-14T14:03:30+05:30', 0],
  ['2026-11-14T20:00:00+05:30', 2],
  ['yesterday', 2],
])('the event that a URL selects at %s is event %s', (address, stop) => expect(stopAt(events, address)).toBe(stop));

test('the event that a URL selects does not exist for a moment before the first event', () =>
  expect(stopAtMoment(events, '2026-11-14T08:33:00.203Z')).toBe(-1));

test('the event that a URL selects is never one of unknown time', () =>
  expect(stopAtMoment([...events, { recordedAt: null }], '2027-01-01T00:00:00Z')).toBe(2));
