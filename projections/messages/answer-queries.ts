import type { ReadDatabase } from '../database.ts';
import { anyOf } from '../storage/prepare.ts';
import { parseAnswers, type Answer } from './message-answers.ts';

/** Returns the answers by message, for those of these messages that have any. Throws database errors. */
export const findAnswers = async (
  { db }: Pick<ReadDatabase, 'db'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly Answer[]>> => {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom('message_answers').selectAll().where('message_id', '=', anyOf(ids)).execute();
  return new Map(rows.map((row) => [row.message_id, parseAnswers(row)]));
};
