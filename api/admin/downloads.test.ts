import { expect, test } from 'vitest';

import { writeCsv } from './downloads.ts';

test('a CSV file has a byte order mark, its columns and a line for each row', async () => {
  const pages = (async function* () {
    yield [
      ['Asha', 'hello'],
      ['Ravi', 'two\nlines'],
    ];
    yield [['Zoë', '']];
  })();
  let text = '';
  for await (const piece of writeCsv(['Name', 'Message'], pages)) text += piece;
  expect(text).toBe('\uFEFFName,Message\r\nAsha,hello\r\nRavi,two lines\r\nZoë,\r\n');
});
