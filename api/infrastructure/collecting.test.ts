import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const MODULE = fileURLToPath(new URL('collecting.ts', import.meta.url));

test.each(['collectEarly', 'collectForARebuild', 'collectNow', 'beginYoung'])('the engine knows how to %s', async (name) => {
  const script = `import(${JSON.stringify(MODULE)}).then((settings) => settings.${name}())`;
  const { stderr } = await promisify(execFile)(process.execPath, ['--import', 'tsx', '-e', script]);
  // What it does not know it says, and goes on.
  expect(stderr).toBe('');
});
