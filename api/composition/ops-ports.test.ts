import { describe, expect, test } from 'vitest';

import { CannotStart } from '../platform/cannot-start.ts';
import { checkOpsPorts } from './ops.ts';

const starting =
  (opsPort: number | undefined, port: number, processes = 3) =>
  () =>
    checkOpsPorts({ port, opsPort }, processes);

describe('the ports for the metrics of processes', () => {
  test.each([
    ['beside PORT', 3_001, 3_000],
    ['just below PORT', 2_997, 3_000],
    ['the last there are', 65_533, 3_000],
    ['any free ones', 0, 3_000],
    ['none of their own', undefined, 3_000],
    ['beside any free one', 3_000, 0],
  ])('may be %s', (_, opsPort, port) => expect(starting(opsPort, port)).not.toThrow());

  test.each([3_000, 2_999, 2_998])('may not include PORT, beginning at %i', (opsPort) => {
    expect(starting(opsPort, 3_000)).toThrow(CannotStart);
    expect(starting(opsPort, 3_000)).toThrow(
      `OPS_PORT stands for ${opsPort} to ${opsPort + 2}, a port for each of 3 processes, and PORT is 3000: set one of them so that they do not meet.`,
    );
  });

  test('must differ from PORT for a single process', () =>
    expect(starting(3_000, 3_000, 1)).toThrow('OPS_PORT is 3000, and PORT is 3000: set one of them so that they do not meet.'));

  test('end with the highest port number', () =>
    expect(starting(65_534, 3_000)).toThrow('the last port is 65535: set OPS_PORT to 65533 or less.'));
});
