import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';

import type { ShopDatabase } from '../../platform/postgres/shop-tables.ts';
import { codeBurnt, codeExpired, codeTooSoon, wrongCode } from '../account-errors.ts';
import type { DerivedKeys } from '../derived-keys.ts';
import { userSubject, type From, type SecurityLog } from '../security-log.ts';

/** The next code can be sent after `apartMs`. */
const CODE = { length: 6, goodForMs: 10 * 60_000, tries: 5, apartMs: 60_000 } as const;

/** A user has at most one code in each: for the address of a new account, and for a changed one. */
type CodeTable = 'codes' | 'email_changes';

type Parts = {
  readonly db: ShopDatabase;
  readonly keys: Pick<DerivedKeys, 'codes'>;
  readonly securityLog: SecurityLog;
  readonly now: () => Date;
};

export const newCode = (): string => String(randomInt(10 ** CODE.length)).padStart(CODE.length, '0');

/** The hash is keyed, because a million plain hashes are quickly computed. */
export const codeHash = (key: Buffer, subject: string, code: string): Buffer =>
  createHmac('sha256', key).update(`${subject}:${code}`).digest();

const hashFor = ({ keys }: Pick<Parts, 'keys'>, table: CodeTable, userId: string, code: string): Buffer =>
  codeHash(keys.codes, table === 'codes' ? userId : `email:${userId}`, code);

/** Throws a 429 within a minute of the last code. The transaction has locked the user. */
export const refuseCodeTooSoon = async ({ now }: Pick<Parts, 'now'>, tx: ShopDatabase, table: CodeTable, userId: string): Promise<void> => {
  const last = await tx.selectFrom(table).select('sent_at').where('user_id', '=', userId).executeTakeFirst();
  const wait = last ? last.sent_at.getTime() + CODE.apartMs - now().getTime() : 0;
  if (wait > 0) throw codeTooSoon(wait);
};

/** Makes a code, and the columns by which it replaces an older one. */
export const createCode = ({ keys, now }: Pick<Parts, 'keys' | 'now'>, table: CodeTable, userId: string) => {
  const code = newCode();
  const sent_at = now();
  const expires_at = new Date(sent_at.getTime() + CODE.goodForMs);
  return { code, columns: { code_hash: hashFor({ keys }, table, userId, code), tries: 0, sent_at, expires_at } };
};

/**
 * Counts the attempt before the comparison: of a thousand concurrent guesses five are compared. Returns the hash of the right code, by which
 * the caller deletes its row, so that it counts once. Throws a 400 for a wrong or expired code, a 429 after five.
 */
export const checkCode = async (
  { db, keys, securityLog, now }: Parts,
  table: CodeTable,
  userId: string,
  code: string,
  from: From,
): Promise<Buffer> => {
  const tried = await db
    .updateTable(table)
    .set(({ eb }) => ({ tries: eb('tries', '+', 1) }))
    .where('user_id', '=', userId)
    .where('tries', '<', CODE.tries)
    .returning(['code_hash', 'expires_at', 'tries'])
    .executeTakeFirst();
  if (!tried) {
    const burnt = await db.selectFrom(table).select('sent_at').where('user_id', '=', userId).executeTakeFirst();
    throw burnt ? codeBurnt(burnt.sent_at.getTime() + CODE.apartMs - now().getTime()) : wrongCode();
  }
  if (tried.expires_at <= now()) throw codeExpired();
  if (timingSafeEqual(tried.code_hash, hashFor({ keys }, table, userId, code))) return tried.code_hash;
  if (tried.tries === CODE.tries) securityLog.record({ kind: 'code_burnt', subject: userSubject(userId), ...from });
  throw wrongCode();
};
