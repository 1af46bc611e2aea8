import { describe, expect, test } from 'vitest';

import { csvCell, csvText } from './csv.ts';

describe('a cell of a CSV file', () => {
  test.each([
    ['Meera', 'Meera'],
    ['', ''],
    ['Pune, Maharashtra', '"Pune, Maharashtra"'],
    ['she said "oud"', '"she said ""oud"""'],
    ['a;b', '"a;b"'],
    ['first\r\nsecond\nthird\rfourth', 'first second third fourth'],
    ['\u2028', '" "'],
    ['1 = 1', '1 = 1'],
    ['-4110.00', '-4110.00'],
    ['care@ruhani.example', 'care@ruhani.example'],
  ])('has for %j the text %j', (text, cell) => expect(csvCell(text)).toBe(cell));

  test.each([
    ['=HYPERLINK("http://e","x")', `"'=HYPERLINK(""http://e"",""x"")"`],
    ['+cmd', `"'+cmd"`],
    ['-2+3', `"'-2+3"`],
    ['-1\n', `"'-1 "`],
    ['@SUM(1)', `"'@SUM(1)"`],
    ['＝1', `"'＝1"`],
    ['   =1', `"'   =1"`],
    ['\u00a0\u200b=1', `"'\u00a0\u200b=1"`],
    ['\r\n=1', `"' =1"`],
    ['\ttab', `"'\ttab"`],
    ['\rreturn', `"' return"`],
    ['\0=1', `"'=1"`],
    ['\0nothing', `"'nothing"`],
  ])('has for %j a text that no spreadsheet executes', (text, cell) => expect(csvCell(text)).toBe(cell));
});

test('a file has a line for each row', () =>
  expect(
    csvText([
      ['Name', 'City'],
      ['Meera', 'Pune, Maharashtra'],
    ]),
  ).toBe('Name,City\r\nMeera,"Pune, Maharashtra"\r\n'));
