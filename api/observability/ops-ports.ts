import { CannotStart } from '../platform/cannot-start.ts';

const LAST_PORT = 65_535;

/**
 * Each process has its own port for metrics, counted up from `OPS_PORT`. Throws `CannotStart` when one of these is `PORT`, or above the
 * highest port.
 */
export const checkOpsPorts = (
  { port, opsPort }: { readonly port: number; readonly opsPort: number | undefined },
  processes: number,
): void => {
  if (opsPort === undefined || opsPort === 0) return;
  const last = opsPort + processes - 1;
  const taken =
    processes === 1 ? `OPS_PORT is ${opsPort}` : `OPS_PORT stands for ${opsPort} to ${last}, a port for each of ${processes} processes`;
  if (last > LAST_PORT)
    throw new CannotStart(`${taken}, and the last port is ${LAST_PORT}: set OPS_PORT to ${LAST_PORT + 1 - processes} or less.`);
  if (opsPort <= port && port <= last) throw new CannotStart(`${taken}, and PORT is ${port}: set one of them so that they do not meet.`);
};
