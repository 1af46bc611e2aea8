import { expect, test } from 'vitest';

import { quotedPrintable } from './quoted-printable.ts';

const encoded = (text: string): string => quotedPrintable(text).toString('latin1');
const decoded = (text: string): string =>
  Buffer.from(
    text.replaceAll('=\r\n', '').replaceAll(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
    'latin1',
  ).toString();

test('leaves what every mail server takes, and writes the rest in hex', () => {
  expect(encoded('a=b ₹1\t~\0')).toBe('a=3Db =E2=82=B91\t~=00');
});

test('ends every line the same, and with nothing that may be lost', () => {
  expect(encoded('one \ntwo\t\r\nthree\rfour ')).toBe('one=20\r\ntwo=09\r\nthree\r\nfour=20');
});

test.each(['x', '=', ' ', '₹', '🌹', 'नमस्ते ', '<td style="a=b">'])('breaks lines of %j softly, and loses nothing of them', (text) => {
  for (const times of [1, 24, 25, 26, 74, 75, 76, 77, 500]) {
    const whole = text.repeat(times);
    expect(decoded(encoded(whole))).toBe(whole);
    for (const line of encoded(whole).split('\r\n')) expect(line.length).toBeLessThanOrEqual(76);
  }
});
