import { collectNow } from '../collecting.ts';
import { keepTicksFast } from '../lasting-shapes.ts';

// A new process that has much to queue, before its memory is collected and after. Tells its parent how many times as dear it has become.

const TICKS = 300_000;
const COLLECTIONS = 6;

/** Microseconds of processor time. */
const timeOfTicks = (): Promise<number> =>
  new Promise((resolve) => {
    const before = process.cpuUsage();
    let left = TICKS;
    const tick = (): void => {
      left -= 1;
      if (left > 0) return void process.nextTick(tick);
      const { user, system } = process.cpuUsage(before);
      resolve(user + system);
    };
    tick();
  });

/** Ends when nothing is queued. */
const quiet = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, 5));

keepTicksFast();
await timeOfTicks();
const before = await timeOfTicks();
for (let count = 0; count < COLLECTIONS; count++) {
  await quiet();
  collectNow();
  await timeOfTicks();
}
process.send?.((await timeOfTicks()) / before);
process.disconnect();
