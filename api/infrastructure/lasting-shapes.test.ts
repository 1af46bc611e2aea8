import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

test('what Node queues costs no more after garbage was collected than before', async () => {
  const script = fileURLToPath(new URL('testing/ticks-while-collecting.ts', import.meta.url));
  const child = fork(script, { execArgv: ['--import', 'tsx'] });
  const [times] = await once(child, 'message');
  expect(times).toBeLessThan(2);
});
