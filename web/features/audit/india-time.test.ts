import { describe, expect, test } from 'vitest';
import { clockInIndia, momentInIndia } from './india-time.ts';

describe('the clock in India', () => {
  test('shows a moment five and a half hours later than UTC', () =>
    expect(clockInIndia('2026-11-14T18:45:07.118Z')).toBe('2026-11-15T00:15:07'));
  test('means the end of its second, so that it shows what happened in it', () => {
    expect(momentInIndia('2026-11-14T14:03:00')).toBe('2026-11-14T08:33:00.999Z');
    expect(momentInIndia('2026-11-14T14:03')).toBe('2026-11-14T08:33:00.999Z');
  });
  test('of no time is no moment', () => expect(momentInIndia('')).toBeUndefined());
});
