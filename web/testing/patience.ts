import { cleanup, configure } from '@testing-library/react';
import { afterAll, afterEach, vi } from 'vitest';

// What is waited for may be long on its way on a machine that has much else to do.
configure({ asyncUtilTimeout: 20_000 });

// The files of a worker share its modules: what a test draws, and what a file puts in the place of a global, goes with it.
afterEach(cleanup);
afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});
