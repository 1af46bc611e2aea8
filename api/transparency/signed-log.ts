import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';

import type { ReceiptPolicy } from '#domain/receipt/receipt.ts';
import { Superseded } from '#projections/follower/failures.ts';

import type { ShopDatabase, SizedRule } from '../platform/postgres/shop-tables.ts';
import { formatCheckpoint, logOrigin, originAt, originNumber } from './checkpoint.ts';
import {
  findNewest,
  isAhead,
  isSignedBy,
  parseSignedCheckpoint,
  readPublishedLast,
  readSignedLast,
  writePublishedLast,
  writeSignedLast,
  type LogKey,
  type SignedCheckpoint,
} from './log-key.ts';
import type { TreeHead } from './merkle-tree.ts';
import { keepPolicy, readKeptPolicy } from './receipt-policy.ts';
import type { WitnessPolicy } from './witness-policy.ts';
import type { ProveConsistency, Witnesses } from './witnesses.ts';
import { createSigner, findSignatureLine, formatNote, formatVkey, parseNote, parseVkey, signNote, type NoteSigner } from './signed-note.ts';

/**
 * Each origin of the log is a generation: 1 is `/log`, 2 is `/log/2`. The tree of a later one begins with the note that was published last
 * before it.
 */
export type Generation = {
  readonly number: number;
  readonly vkey: string;
  readonly published: SignedCheckpoint | undefined;
  readonly publishedAt: Date | null;
  /** When a published checkpoint was last one that witnesses had signed. */
  readonly cosignedAt: Date | null;
  /** In order of size; the last holds until now. */
  readonly rules: readonly SizedRule[];
};

/** Reads all generations, oldest first. */
export const readGenerations = async (db: ShopDatabase): Promise<readonly Generation[]> => {
  const rows = await db
    .selectFrom('log_checkpoints')
    .select(['generation', 'vkey', 'note', 'published_at as publishedAt', 'cosigned_at as cosignedAt', 'rules'])
    .orderBy('generation')
    .execute();
  return rows.map(({ generation, note, ...row }) => ({
    ...row,
    number: generation,
    published: note === null ? undefined : parseSignedCheckpoint(note),
  }));
};

/** What a tree is built from besides the log: its generation, and the first leaf of a later one. */
export type TreeStart = { readonly generation: number; readonly firstEntry: string | undefined };

export const findTreeStart = (generations: readonly Generation[]): TreeStart => ({
  generation: generations.at(-1)?.number ?? 1,
  firstEntry: generations.at(-2)?.published?.note,
});

export type SigningState = TreeStart & {
  readonly signer: NoteSigner;
  /** What was signed last under this origin. */
  readonly last: SignedCheckpoint | undefined;
  /** That, and what witnesses know to be signed under it: a tree that does not begin with all of it is never signed under it. */
  readonly known: readonly SignedCheckpoint[];
  readonly publishedSize: number;
};

export type SignedLogDeps = LogKey & {
  readonly db: ShopDatabase;
  readonly dataDir: string;
  readonly publicUrl: string;
  readonly witnesses: Pick<Witnesses, 'cosign' | 'recall'>;
  readonly witnessPolicy: WitnessPolicy;
};

/** Witnesses may not have signed under each origin: so many after the last known one are asked for. */
const LATER_ORIGINS = 5;

/** Signs and publishes checkpoints. Only the process that holds the lease of the log's tree calls it. */
export class SignedLog {
  /** The note that DATA_DIR had when this process last looked. */
  #remembered: string | undefined;

  constructor(readonly deps: SignedLogDeps) {}

  #isOwn = (checkpoint: SignedCheckpoint): boolean => isSignedBy(checkpoint, this.deps.seed);

  /** Returns which was signed last. Of two logs under one origin, that of this key counts; a later origin counts always. */
  #chooseLast(kept: SignedCheckpoint | undefined, published: SignedCheckpoint | undefined): SignedCheckpoint | undefined {
    if (!kept || !published) return kept ?? published;
    const isForeign = !this.#isOwn(published) && originNumber(kept.origin) === originNumber(published.origin);
    return isForeign || isAhead(kept, published) ? kept : published;
  }

  /**
   * Returns under which origin the log is signed, which is that of the last signature of this key, in the database or in DATA_DIR. The first
   * signature fixes the origin; until then it is that of PUBLIC_URL. After a signature of another key, which is lost, the next origin begins.
   * Throws when DATA_DIR does not have what was signed last, and not all witnesses say what they know.
   */
  async open(): Promise<SigningState> {
    const { db, dataDir, seed, publicUrl } = this.deps;
    const generations = await readGenerations(db);
    const newest = generations.at(-1);
    const published = generations.findLast((each) => each.published)?.published;
    const kept = await readSignedLast(dataDir);
    const known = await this.#recall((kept ?? published)?.origin ?? logOrigin(publicUrl), kept === undefined);
    const own = kept ?? (published && this.#isOwn(published) ? published : undefined);
    const newestOwn = findNewest([own, ...known]);
    if (newestOwn && newestOwn !== kept) await writeSignedLast(dataDir, newestOwn);
    this.#remembered = newestOwn?.note;
    const last = this.#chooseLast(newestOwn, published);
    const number = Math.max(newest?.number ?? 1, last ? originNumber(last.origin) : 1);
    const signer = createSigner(last ? originAt(last.origin, number) : logOrigin(publicUrl), seed);
    if (newest?.number !== number || (!newest.published && newest.vkey !== formatVkey(signer))) {
      // An older backup has no rows of the origins in between, whose receipts stay valid.
      const { logs } = await this.#readKept();
      for (let each = newest?.number ?? 1; each < number; each++) {
        const name = originAt(signer.name, each);
        await this.#begin(each, logs.find((vkey) => vkey.startsWith(`${name}+`)) ?? formatVkey(createSigner(name, seed)), db);
      }
      await this.#begin(number, formatVkey(signer), db);
      return this.open();
    }
    if (last) await this.#recoverRules(generations);
    const isLast = last !== undefined && originNumber(last.origin) === number;
    const start = findTreeStart(generations);
    const isForeign = newest.published !== undefined && !this.#isOwn(newest.published);
    if (last && isForeign && !(isLast && this.#isOwn(last))) return this.beginNext({ ...start, last });
    await keepPolicy(dataDir, await readReceiptPolicy(db));
    return {
      ...start,
      signer,
      last: isLast ? last : undefined,
      known: [...known, kept, last].filter((each) => each !== undefined).filter(({ origin }) => origin === signer.name),
      publishedSize: isForeign ? 0 : (newest.published?.size ?? 0),
    };
  }

  /**
   * Returns what the witnesses know to be signed with this key, under the origin `start` and later ones: database and DATA_DIR may both be
   * older. If they all have to be asked, it throws when one does not answer. A new key has signed nothing, so no witness is asked about it.
   */
  async #recall(start: string, needsAll: boolean): Promise<readonly SignedCheckpoint[]> {
    const { witnesses, seed, isNewKey } = this.deps;
    if (isNewKey) return [];
    const recallOwn = async (number: number): Promise<readonly SignedCheckpoint[]> => {
      const signer = createSigner(originAt(start, number), seed);
      return (await witnesses.recall(signer.name, needsAll)).flatMap(({ note, ...checkpoint }) => {
        const { text, signatures } = parseNote(note);
        const line = findSignatureLine({ text, signatures }, signer);
        // A witness may have added lines of others.
        return line === undefined ? [] : [{ ...checkpoint, note: formatNote(text, [line]) }];
      });
    };
    const known: SignedCheckpoint[] = [];
    for (let number = originNumber(start), newest = number; number <= newest + LATER_ORIGINS; number += LATER_ORIGINS + 1) {
      const numbers = Array.from({ length: LATER_ORIGINS + 1 }, (_, after) => number + after);
      known.push(...(await Promise.all(numbers.map(recallOwn))).flat());
      newest = Math.max(newest, ...known.map(({ origin }) => originNumber(origin)));
    }
    return known;
  }

  /** Returns the policy of DATA_DIR, which an older backup lacks in part. From a damaged file nothing is taken. */
  async #readKept(): Promise<ReceiptPolicy> {
    return (await readKeptPolicy(this.deps.dataDir).catch(() => undefined)) ?? { logs: [], witnesses: [], quorum: 0 };
  }

  /** Takes rules that an older backup lacks from DATA_DIR, so that receipts are verified as they were published. */
  async #recoverRules(generations: readonly Generation[]): Promise<void> {
    const { db } = this.deps;
    const { earlier = [] } = await this.#readKept();
    for (const { number, vkey, rules } of generations) {
      const { name } = parseVkey(vkey);
      const kept = earlier.filter((rule) => rule.origin === name).map(({ from, witnesses, quorum }) => ({ from, witnesses, quorum }));
      if (kept.length > rules.length && isDeepStrictEqual(kept.slice(0, rules.length), rules))
        await db
          .updateTable('log_checkpoints')
          .set({ rules: JSON.stringify(kept) })
          .where('generation', '=', number)
          .execute();
    }
  }

  #begin(generation: number, vkey: string, db: ShopDatabase): Promise<unknown> {
    return db
      .insertInto('log_checkpoints')
      .values({ generation, vkey })
      .onConflict((row) => row.column('generation').doUpdateSet({ vkey }).where('log_checkpoints.note', 'is', null))
      .execute();
  }

  /**
   * Begins the next origin, because the log does not continue what was signed last. The old one keeps what was published last under it, which
   * an older database does not know. A note of another origin than the newest replaces nothing.
   */
  async beginNext({ generation, last }: Pick<SigningState, 'generation' | 'last'>): Promise<SigningState> {
    if (!last) throw new Error('Nothing was signed under the old origin');
    const { db, dataDir, seed, witnessPolicy } = this.deps;
    const { published, rules = [] } = (await readGenerations(db)).find(({ number }) => number === generation) ?? {};
    // Where a quorum is asked for, what was signed last may not have been published.
    const isPublished = [witnessPolicy, ...rules].every(({ quorum }) => quorum === 0);
    const own = [published, await readPublishedLast(dataDir), isPublished ? last : undefined].filter(
      (each) => each && originNumber(each.origin) === generation && this.#isOwn(each),
    );
    const old = findNewest(own);
    await db.transaction().execute(async (tx) => {
      if (old)
        await tx
          .updateTable('log_checkpoints')
          .set({ vkey: formatVkey(createSigner(old.origin, seed)), size: old.size, note: old.note })
          .where('generation', '=', generation)
          .execute();
      await this.#begin(generation + 1, formatVkey(createSigner(originAt(last.origin, generation + 1), seed)), tx);
    });
    return this.open();
  }

  /**
   * Signs the tree, has it cosigned, and publishes its checkpoint. DATA_DIR remembers both before anybody sees them. Returns undefined, and
   * publishes nothing, when too few witnesses have signed. Throws `Superseded` if DATA_DIR has a note that this process did not know.
   */
  async sign({ generation, signer }: SigningState, head: TreeHead, prove: ProveConsistency): Promise<SignedCheckpoint | undefined> {
    const { dataDir, witnesses } = this.deps;
    const origin = signer.name;
    const text = formatCheckpoint({ origin, ...head });
    const signed = { origin, ...head, note: formatNote(text, [signNote(text, signer)]) };
    const kept = await readSignedLast(dataDir);
    if (kept?.note !== this.#remembered)
      throw new Superseded(`Another process has signed the log under ${kept?.origin}, up to ${kept?.size}`);
    await writeSignedLast(dataDir, signed);
    this.#remembered = signed.note;
    const cosignatures = await witnesses.cosign(signed, prove);
    if (!cosignatures) return undefined;
    const checkpoint = { ...signed, note: signed.note + cosignatures.join('') };
    await writePublishedLast(dataDir, checkpoint);
    await this.#publish(generation, checkpoint, cosignatures.length > 0);
    return checkpoint;
  }

  /** Publishes a checkpoint, and from which size on the witnesses of today have to sign if it is the first for which they had to. */
  async #publish(generation: number, { size, note }: SignedCheckpoint, isCosigned: boolean): Promise<void> {
    const { db, dataDir, witnessPolicy } = this.deps;
    const rule = {
      from: size,
      witnesses: witnessPolicy.witnesses.map(({ key }) => formatVkey(key)).toSorted(),
      quorum: witnessPolicy.quorum,
    };
    const time = sql<Date>`clock_timestamp()`;
    const isNewRule = await db.transaction().execute(async (tx) => {
      const newest = await tx
        .selectFrom('log_checkpoints')
        .select(['generation', 'size', 'rules'])
        .orderBy('generation', 'desc')
        .limit(1)
        .forUpdate()
        .executeTakeFirstOrThrow();
      // A larger one is published already if another process went on meanwhile, and a later origin if it found the log replaced.
      if (newest.generation !== generation || Number(newest.size) >= size) return false;
      const last = newest.rules.at(-1);
      const isNew = !last || !isDeepStrictEqual({ ...last, from: size }, rule);
      const rules = isNew ? { rules: JSON.stringify([...newest.rules, rule]) } : {};
      await tx
        .updateTable('log_checkpoints')
        .set({ size, note, published_at: time, ...(isCosigned && { cosigned_at: time }), ...rules })
        .where('generation', '=', generation)
        .execute();
      return isNew;
    });
    if (isNewRule) await keepPolicy(dataDir, await readReceiptPolicy(db));
  }
}

/**
 * Returns the policy by which receipts of this shop are verified: the keys of all origins, newest first; the witnesses and the quorum of
 * today; and in `earlier` those of each origin, with the size from which they hold. The copy in DATA_DIR completes an older database.
 */
export const readReceiptPolicy = async (db: ShopDatabase): Promise<ReceiptPolicy> => {
  const generations = await readGenerations(db);
  const logs = generations.toReversed().map(({ vkey }) => vkey);
  const earlier = generations.flatMap(({ vkey, rules }) => rules.map((rule) => ({ origin: parseVkey(vkey).name, ...rule })));
  const { witnesses, quorum } = earlier.at(-1) ?? { witnesses: [], quorum: 0 };
  return { logs, witnesses, quorum, earlier };
};
