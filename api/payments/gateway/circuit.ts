import { GatewayUnavailable } from './gateway.ts';

export type Circuit = {
  /** Calls the function. Throws `GatewayUnavailable` without calling it while the circuit is open. */
  run<T>(call: () => Promise<T>): Promise<T>;
  isClosed(): boolean;
};

/** `FAILURES` calls in a row without an answer open the circuit for `PAUSE` ms. */
const FAILURES = 5;
const PAUSE = 10_000;

/**
 * A circuit breaker keeps callers from waiting for a gateway that does not answer. After the pause one call is tried; its answer closes the
 * circuit.
 */
export const createCircuit = (clock: () => number): Circuit => {
  let failures = 0;
  let openUntil = 0;
  let isTrying = false;

  const isClosed = (): boolean => failures < FAILURES || (!isTrying && clock() >= openUntil);

  const run = async <T>(call: () => Promise<T>): Promise<T> => {
    if (!isClosed()) throw new GatewayUnavailable('The payment gateway is not answering');
    const isTry = failures >= FAILURES;
    if (isTry) isTrying = true;
    try {
      const answer = await call();
      failures = 0;
      return answer;
    } catch (error) {
      // That one caller asks too often, or asks for something odd, says nothing about the calls of others.
      if (error instanceof GatewayUnavailable && error.why === 'outage') {
        failures++;
        openUntil = clock() + PAUSE;
      } else failures = 0;
      throw error;
    } finally {
      if (isTry) isTrying = false;
    }
  };

  return { run, isClosed };
};
