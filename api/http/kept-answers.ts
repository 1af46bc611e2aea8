import { createHmac, randomUUID } from 'node:crypto';
import pg from 'pg';

import { openText, sealText } from '../sealed-text.ts';

/** An answer as it can be given again. */
export type KeptAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** What the position cookie said. */
  readonly positions: string;
};

/** Whose request it is, under which key, and what was asked for. */
export type Asked = { readonly session: Buffer; readonly key: string; readonly request: string };

export type Claim = {
  /** The command that the request gives, the same however often it is worked on. */
  readonly command: string;
  /** It was worked on before, and nobody knows how far that got. */
  readonly isRepeated: boolean;
  keep(answer: KeptAnswer): Promise<void>;
  /** Without an answer that is worth keeping: the next who asks the same may try. */
  release(): Promise<void>;
};

export type Claimed =
  | { readonly is: 'ours'; readonly claim: Claim }
  | { readonly is: 'answered'; readonly answer: KeptAnswer }
  | { readonly is: 'under way' }
  | { readonly is: 'other request' }
  /** It has ended, in this moment or in another process. */
  | { readonly is: 'without session' };

export type KeptAnswers = { claim(asked: Asked): Promise<Claimed> };

type Row = { ours: boolean | null; command: string | null; fingerprint: Buffer | null; answer: Buffer | null };

/** So long somebody may work on a request before the next one may; so soon it is tried again after a process died. By the clock of Postgres. */
const CLAIM = `interval '10 seconds'`;
const KEPT = `interval '24 hours'`;

/** The select sees what was there before the insert: of a request that came first just now it sees nothing, which is that it is under way. */
const CLAIM_IT = `with ours as (
    insert into shop.kept_answers as kept (session, key, fingerprint, command, claim, claimed_until, expires_at)
    values ($1, $2, $3, $4, $5, now() + ${CLAIM}, now() + ${KEPT})
    on conflict (session, key) do update set
      fingerprint = excluded.fingerprint, claim = excluded.claim, claimed_until = excluded.claimed_until,
      answer = case when kept.expires_at < now() then null else kept.answer end,
      command = case when kept.expires_at < now() then excluded.command else kept.command end,
      expires_at = excluded.expires_at
    where kept.expires_at < now() or (kept.answer is null and kept.claimed_until < now() and kept.fingerprint = excluded.fingerprint)
    returning command
  )
  select ours.command is not null as ours, ours.command, there.fingerprint, there.answer
  from (select) as always left join ours on true left join shop.kept_answers as there on there.session = $1 and there.key = $2`;

const KEEP = `update shop.kept_answers set answer = $4 where session = $1 and key = $2 and claim = $3`;
const RELEASE = `update shop.kept_answers set claimed_until = '-infinity' where session = $1 and key = $2 and claim = $3`;

const NO_SUCH_ROW = '23503';

const claimIt = async (pool: pg.Pool, values: readonly unknown[]): Promise<Row | undefined | 'without session'> => {
  try {
    const { rows } = await pool.query<Row>({ name: 'claim-key', text: CLAIM_IT, values: [...values] });
    return rows[0];
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === NO_SUCH_ROW) return 'without session';
    throw error;
  }
};

type Parts = { readonly pool: pg.Pool; readonly keys: { readonly sealing: Buffer; readonly naming: Buffer } };

/** Answers under their keys, table `shop.kept_answers`, for 24 hours. */
export const keptAnswers = ({ pool, keys }: Parts): KeptAnswers => {
  const named = (text: string): Buffer => createHmac('sha256', keys.naming).update(text).digest();

  const claimOf = (session: Buffer, key: Buffer, claim: string, proposed: string, command: string): Claim => ({
    command,
    isRepeated: command !== proposed,
    keep: async (answer) => {
      const sealed = sealText(keys.sealing, Buffer.concat([session, key]), JSON.stringify(answer));
      await pool.query({ name: 'keep-answer', text: KEEP, values: [session, key, claim, sealed] });
    },
    release: async () => {
      await pool.query({ name: 'release-key', text: RELEASE, values: [session, key, claim] });
    },
  });

  return {
    claim: async ({ session, key: given, request }) => {
      const [key, fingerprint] = [named(given), named(request)];
      const [proposed, claim] = [randomUUID(), randomUUID()];
      const values = [session, key, fingerprint, proposed, claim];
      const row = await claimIt(pool, values);
      if (row === 'without session') return { is: row };
      if (row?.ours && row.command !== null) return { is: 'ours', claim: claimOf(session, key, claim, proposed, row.command) };
      if (!row?.fingerprint) return { is: 'under way' };
      if (!row.fingerprint.equals(fingerprint)) return { is: 'other request' };
      if (!row.answer) return { is: 'under way' };
      // Nobody without the key can have written this, and with the key only `keep` does.
      return { is: 'answered', answer: JSON.parse(openText(keys.sealing, Buffer.concat([session, key]), row.answer)) as KeptAnswer };
    },
  };
};
