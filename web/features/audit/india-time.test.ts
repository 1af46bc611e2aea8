import { describe, expect, test } from 'vitest';
import { clockInIndia, momentInIndia } from './india-time.ts';

describe('the clock in India', () => {
  test('shows a moment five and a half hours later than UTC', () =>
    expect(clockInIndia('2026-11-14T18:45:07.118Z')).toBe('2026-11-15T00:15:07'));
  test('gives the last millisecond of its second, so that events in that second are included', () => {
    expect(momentInIndia('2026-11-14T14:03:00')).toBe('2026-11-14T08:33:00.999Z');
    expect(momentInIndia('2026-11-14T14:03')).toBe('2026-11-14T08:33:00.999Z');
  });
  test('gives undefined for an empty field', () => expect(momentInIndia('')).toBeUndefined());
});
