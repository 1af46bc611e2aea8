import { parseArgs } from 'node:util';

import { TODAYS_RULES, type OtherRules } from '#domain/order/what-if.ts';
import { parseDate } from '#domain/shared/time.ts';

import { isPosition } from '../audit/log/log-input.ts';
import { WhatIfInput } from '../audit/what-if/what-if-input.ts';

export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export type AuditArguments = {
  readonly command: string;
  /** The name is the id or number of an order or a product, or the name of a receipt's file. */
  readonly name?: string | undefined;
  readonly file?: string | undefined;
  readonly heads?: string | undefined;
  /** The value is a revision, or a time as ISO text in UTC. */
  readonly at?: number | string | undefined;
  readonly from?: bigint | undefined;
  readonly verify: boolean;
  readonly save: boolean;
  readonly rules: OtherRules;
  readonly json: boolean;
  /** The vkeys of logs that a receipt is verified with; undefined if none is given. */
  readonly keys: readonly string[] | undefined;
  /** The name of a file. */
  readonly policy: string | undefined;
};

const OPTIONS = {
  file: { type: 'string' },
  heads: { type: 'string' },
  at: { type: 'string' },
  from: { type: 'string' },
  verify: { type: 'boolean', default: false },
  save: { type: 'boolean', default: false },
  rate: { type: 'string', multiple: true },
  wrap: { type: 'string' },
  shipping: { type: 'string' },
  json: { type: 'boolean', default: false },
  key: { type: 'string', multiple: true },
  policy: { type: 'string' },
} as const;

const parsePoint = (text: string): number | string => {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const time = new Date(text);
  if (Number.isNaN(time.getTime()) || parseDate(text.slice(0, 10)) === undefined)
    throw new UsageError(`--at takes a revision, or a time such as 2026-11-14T14:03+05:30, not ${text}`);
  return time.toISOString();
};

const parsePosition = (text: string): bigint => {
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

const uncapitalized = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

const parseRules = (given: Readonly<Record<string, unknown>>): OtherRules => {
  const { data, error } = WhatIfInput.safeParse(given);
  const [issue] = error?.issues ?? [];
  if (issue)
    throw new UsageError(`--${String(issue.path[0])} takes ${uncapitalized(issue.message)}; not ${String(given[String(issue.path[0])])}`);
  return data ?? TODAYS_RULES;
};

const NAMED = new Set(['order', 'product', 'stock', 'receipt']);

export const auditArguments = (args: readonly string[]): AuditArguments => {
  const { values, positionals } = parse(args);
  const { file, heads, at, from, verify, save, rate, wrap, shipping, json, key, policy } = values;
  const [command = '', name, ...more] = positionals;
  if (save && file !== undefined) throw new UsageError('--save keeps the heads of the shop\u2019s own log, not of a file');
  if (NAMED.has(command) ? name === undefined || more.length > 0 : name !== undefined)
    throw new UsageError(NAMED.has(command) ? `${command} takes one name` : `${command} takes no name`);
  const isWhatIf = command === 'what-if';
  if (!isWhatIf && (json || rate !== undefined || wrap !== undefined || shipping !== undefined))
    throw new UsageError('--rate, --wrap, --shipping and --json belong to what-if');
  if (isWhatIf && (at !== undefined || heads !== undefined || verify || save))
    throw new UsageError('what-if takes no --at, --heads, --verify or --save');
  const isReceipt = command === 'receipt';
  if (!isReceipt && (key !== undefined || policy !== undefined)) throw new UsageError('--key and --policy belong to receipt');
  if (isReceipt && [file, heads, at, from].some((each) => each !== undefined))
    throw new UsageError('receipt takes no --file, --heads, --at or --from');
  if (isReceipt && (verify || save)) throw new UsageError('receipt takes no --verify or --save');
  if (key !== undefined && policy !== undefined) throw new UsageError('Give either --key or --policy');
  return {
    command,
    name,
    file,
    heads,
    at: at === undefined ? at : parsePoint(at),
    from: from === undefined || isWhatIf ? undefined : parsePosition(from),
    verify,
    save,
    rules: isWhatIf ? parseRules({ rate, from, wrap, shipping }) : TODAYS_RULES,
    json,
    keys: key,
    policy,
  };
};
