import { expect, test } from 'vitest';
import { deliveryWindow } from './BuyBox.tsx';

test('the delivery window is five to seven days from now', () =>
  expect(deliveryWindow(Date.parse('2026-11-21T06:00:00Z'))).toBe('26 Nov – 28 Nov'));
test('the delivery window can cross the end of a month', () =>
  expect(deliveryWindow(Date.parse('2026-11-24T06:00:00Z'))).toBe('29 Nov – 1 Dec'));
test('the delivery window follows the calendar of India, where a day begins while it is evening in UTC', () =>
  expect(deliveryWindow(Date.parse('2026-11-20T18:30:00Z'))).toBe('26 Nov – 28 Nov'));
