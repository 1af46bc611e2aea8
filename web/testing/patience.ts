import { cleanup, configure } from '@testing-library/react';
import { afterEach, vi } from 'vitest';

// On a busy machine, an element may take long to appear.
configure({ asyncUtilTimeout: 50_000 });

// The test files of one worker share its modules, so every test leaves the page, the clock, the globals and the mocks as they were.
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});
