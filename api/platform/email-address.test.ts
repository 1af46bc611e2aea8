import { describe, expect, test } from 'vitest';

import { emailAddress } from './email-address.ts';

describe('an e-mail address', () => {
  test.each([
    ['Alice@Example.com', 'alice@example.com'],
    ['  alice@example.com ', 'alice@example.com'],
    ['rene\u0301@example.com', 'ren\u00e9@example.com'],
    ['ＡＬＩＣＥ@example.com', 'alice@example.com'],
    ['alice@BÜCHER.example', 'alice@xn--bcher-kva.example'],
    ['alice@bu\u0308cher.example', 'alice@xn--bcher-kva.example'],
    ['a.b+c@sub.example.co.in', 'a.b+c@sub.example.co.in'],
  ])('%j is normalised to %s', (typed, normal) => expect(emailAddress(typed)).toBe(normal));

  test('with similar letters of another alphabet is another address', () =>
    expect(emailAddress('\u0430lice@example.com')).not.toBe('alice@example.com'));

  test.each([
    '',
    'alice',
    '@example.com',
    'alice@',
    'alice@localhost',
    'alice@127.0.0.1',
    'alice@1.2',
    'a b@example.com',
    'alice@exa mple.com',
    'alice@example.com\r\nBcc: x@y.example',
    'alice\r\nBcc:x@example.com',
    'alice\0@example.com',
    'alice,bob@example.com',
    'alice@example.com,bob@example.com',
    '<alice@example.com>',
    'Alice <alice@example.com>',
    '"alice"@example.com',
    'alice@-example.com',
    `${'a'.repeat(65)}@example.com`,
    `a@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(63)}.${'e'.repeat(63)}.example`,
  ])('%j is refused', (typed) => expect(emailAddress(typed)).toBeUndefined());
});
