import { parseArgs } from 'node:util';

import { isPosition } from '../audit/log/log-input.ts';

export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export type AuditArguments = {
  readonly command: string;
  /** The id or number of an order or a product. */
  readonly name?: string | undefined;
  readonly file?: string | undefined;
  readonly heads?: string | undefined;
  /** A revision, or a time as ISO text in UTC. */
  readonly at?: number | string | undefined;
  readonly from?: bigint | undefined;
  readonly verify: boolean;
  readonly save: boolean;
};

const OPTIONS = {
  file: { type: 'string' },
  heads: { type: 'string' },
  at: { type: 'string' },
  from: { type: 'string' },
  verify: { type: 'boolean', default: false },
  save: { type: 'boolean', default: false },
} as const;

const pointIn = (text: string): number | string => {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) throw new UsageError(`--at takes a revision, or a time such as 2026-11-14T14:03+05:30, not ${text}`);
  return time.toISOString();
};

const positionIn = (text: string): bigint => {
  if (!isPosition(text)) throw new UsageError(`--from takes a position, a whole number, not ${text}`);
  return BigInt(text);
};

const parse = (args: readonly string[]) => {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
};

const NAMED = new Set(['order', 'product', 'stock']);

/** Throws `UsageError`. */
export const auditArguments = (args: readonly string[]): AuditArguments => {
  const { values, positionals } = parse(args);
  const { file, heads, at, from, verify, save } = values;
  const [command = '', name, ...more] = positionals;
  if (save && file !== undefined) throw new UsageError('--save keeps the heads of the shop\u2019s own log, not of a file');
  if (NAMED.has(command) ? name === undefined || more.length > 0 : name !== undefined)
    throw new UsageError(NAMED.has(command) ? `${command} takes one name` : `${command} takes no name`);
  return {
    command,
    name,
    file,
    heads,
    at: at === undefined ? at : pointIn(at),
    from: from === undefined ? from : positionIn(from),
    verify,
    save,
  };
};
