import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'vitest';

import { witnessCommand } from '../../cli/witness-command.ts';
import { readConfig } from '../../config.ts';

/** Runs `npm run witness` for the log at this address. `named` is what `LOG_WITNESSES` takes. */
export const startWitness = async (logUrl: string) => {
  const directory = await mkdtemp(path.join(tmpdir(), 'ruhani-witness-'));
  const ending = new AbortController();
  const said: string[] = [];
  const ended = witnessCommand([logUrl], {
    port: 0,
    host: '127.0.0.1',
    directory,
    out: (line) => said.push(line),
    signal: ending.signal,
  });
  await expect.poll(() => said[0]).toBeDefined();
  const stop = async (): Promise<void> => {
    ending.abort();
    await ended;
    await rm(directory, { recursive: true });
  };
  return { named: said[0] ?? '', said, stop };
};

/** Returns the policy of these witnesses, as the configuration reads it. */
export const policyOf = (quorum: number, ...named: string[]) => {
  const { witnessPolicy } = readConfig({ LOG_WITNESSES: named.join(', '), LOG_WITNESS_QUORUM: String(quorum) });
  return witnessPolicy;
};
