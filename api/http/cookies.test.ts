import { expect, test } from 'vitest';

import { cookieOf } from './cookies.ts';

test.each([
  [undefined, undefined],
  ['', undefined],
  ['session=abc', 'abc'],
  ['other=1; session=abc; last=2', 'abc'],
  ['a;session=abc', 'abc'],
  ['session=', ''],
  ['session="abc"', 'abc'],
  ['session=a=b', 'a=b'],
  ['session=first; session=second', 'first'],
  ['my-session=abc', undefined],
  ['session2=abc; sessio=n', undefined],
  ['other=session=abc', undefined],
  ['session', undefined],
  [';;  ;', undefined],
])('the session in %j is %j', (cookie, value) => {
  expect(cookieOf({ headers: cookie === undefined ? {} : { cookie } }, 'session')).toBe(value);
});
