import { cleanup, configure } from '@testing-library/react';
import { afterAll, afterEach, vi } from 'vitest';

// On a busy machine, an element may take long to appear.
configure({ asyncUtilTimeout: 20_000 });

// The test files of one worker share its modules, so rendered elements and stubbed globals are removed after use.
afterEach(cleanup);
afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});
