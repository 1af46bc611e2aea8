import { expect, test } from 'vitest';

import { SpillFile } from './spill-file.ts';

const STREAMS = Array.from({ length: 200 }, (_, index) => `order-${index}`);
/** The lines fill several chunks and have multi-byte characters. */
const EACH = 120;
const TEXT = 'Ambre d\u2019été, 10 ₹. '.repeat(10);

test('all lines of a stream are in one partition, in their original order', async () => {
  const file = await SpillFile.open(0);
  for (let count = 0; count < EACH; count++) for (const stream of STREAMS) await file.put(stream, JSON.stringify([stream, count, TEXT]));
  expect(file.lines).toBe(STREAMS.length * EACH);

  const streamsOf: string[][] = [];
  for await (const partition of file.partitions()) {
    const counts = new Map<string, number[]>();
    for await (const lines of partition)
      for (const line of lines) {
        const [stream, count, text] = JSON.parse(line) as [string, number, string];
        counts.set(stream, [...(counts.get(stream) ?? []), count]);
        expect(text).toBe(TEXT);
      }
    for (const each of counts.values()) expect(each).toEqual(Array.from({ length: EACH }, (_, count) => count));
    streamsOf.push([...counts.keys()]);
  }
  await file.close();
  expect(streamsOf.flat().toSorted()).toEqual(STREAMS.toSorted());
});
