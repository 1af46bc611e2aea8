import { describe, expect, test } from 'vitest';

import { findEmailProblem, NOT_AN_EMAIL, parseEmail } from './email.ts';

describe('an e-mail address', () => {
  test.each([
    ['ｍｅｅｒａ＠ｇｍａｉｌ．ｃｏｍ', 'meera@gmail.com'],
    ['  Meera.Nair+attar@Sub.Example.co.in ', 'Meera.Nair+attar@sub.example.co.in'],
    ['mee\u200bra@gmail。com', 'meera@gmail.com'],
    ['मीरा@दुकान.भारत', 'मीरा@दुकान.भारत'],
    ['o’neill/x=1?@a-b.in', 'o’neill/x=1?@a-b.in'],
  ])('%j is stored as %s', (typed, stored) => expect(parseEmail(typed)).toBe(stored));

  test.each([
    'meera',
    'meera@',
    '@gmail.com',
    'meera@gmail',
    'meera@gmail..com',
    'meera@.gmail.com',
    'meera@gmail.com.',
    'meera.@gmail.com',
    '.meera@gmail.com',
    'mee..ra@gmail.com',
    'a@b!c',
    'a@b!c.in',
    'a@b_c.in',
    'a@x.in:25',
    'mailto:a@x.in',
    'a@x.in?subject=hi',
    'a@x.in/path',
    'a@x%2ein.in',
    'a@b@x.in',
    'a＠b＠x.in',
    'a b@x.in',
    'a@x .in',
    'a\u00a0b@x.in',
    'a@x.in\nBcc: b@x.in',
    'a,b@x.in',
    '<a@x.in>',
    'a@127.0.0.1',
    'a@[127.0.0.1]',
    'a@-x.in',
    'a@x-.in',
    'a@\ud800.in',
    '\ud800@x.in',
    `${'a'.repeat(65)}@x.in`,
    `${'म'.repeat(22)}@x.in`,
    `a@${'b.'.repeat(130)}in`,
  ])('%j is refused', (typed) => expect(findEmailProblem(typed)).toBe(NOT_AN_EMAIL));

  test.each(['', ' \u00a0', '\u200b'])('%j is missing', (typed) => expect(findEmailProblem(typed)).toBe('Required'));
});
