import { sleep } from '#projections/follower/clock.ts';
import { errorMessage } from '#projections/follower/failures.ts';
import type { Log } from '#projections/follower/lease.ts';

import { hashOrigin, parseTreeNumber } from './checkpoint.ts';
import { parseSignedCheckpoint, type SignedCheckpoint } from './log-key.ts';
import type { Hash } from './merkle-tree.ts';
import { Malformed, parseNote, parseSignatures, verifyNote, type NoteKey } from './signed-note.ts';
import { NOTHING_SIGNED } from './witness.ts';
import type { Witness, WitnessPolicy } from './witness-policy.ts';

/** A witness answers within this many ms, or is left out. */
const ANSWERS_WITHIN_MS = 2_000;
/** A checkpoint that needs no witness waits for one this many ms, so that receipts are not held up by one that is away. */
const UNNEEDED_WITHIN_MS = 700;
/** Once enough have signed, the others have this many ms left. */
const GRACE_MS = 300;

/** Proves that the tree of a checkpoint begins with the one of this size. */
export type ProveConsistency = (old: number) => Promise<readonly Hash[]>;

/** Returns the line of the witness's own valid signature. Throws `Malformed` without one. */
const findCosignature = (answer: string, { note }: SignedCheckpoint, key: NoteKey): string => {
  const { text } = parseNote(note);
  for (const line of answer.split(/(?<=\n)/)) {
    const verdict = verifyNote({ text, signatures: parseSignatures(line) }, key);
    if (verdict !== undefined && verdict !== 'invalid') return line;
  }
  throw new Malformed('The witness did not sign the checkpoint');
};

/** Cosignatures have about 150 bytes, checkpoints about 300. */
const MOST_ANSWERED = 8 * 1_024;
/** So much of what a witness said is logged. */
const MOST_LOGGED = 300;

const ask = (url: string, init: RequestInit): Promise<Response> => fetch(url, { ...init, redirect: 'error' });

/** Reads an answer. Throws `Malformed` if it is longer than any should be: witnesses belong to others. */
const readAnswer = async ({ body }: Response): Promise<string> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > MOST_ANSWERED) throw new Malformed(`It answers more than ${MOST_ANSWERED} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
};

/** Returns what this witness signed last under an origin; undefined if it says that it is nothing. Throws if it does not say. */
const fetchLast = async ({ url }: Witness, origin: string): Promise<SignedCheckpoint | undefined> => {
  const answer = await ask(`${url}/${hashOrigin(origin)}/checkpoint`, { signal: AbortSignal.timeout(ANSWERS_WITHIN_MS) });
  const text = await readAnswer(answer);
  if (answer.status === 404 && text === NOTHING_SIGNED) return undefined;
  if (!answer.ok) throw new Error(`it answers ${answer.status}`);
  return parseSignedCheckpoint(text);
};

/** Asks witnesses to sign, and remembers what each signed last. */
export const createWitnesses = ({ witnesses, quorum }: WitnessPolicy, log: Pick<Log, 'info' | 'warn'>) => {
  const signedSizes = new Map<string, number>();
  const troubles = new Map<string, string>();

  /** Logs a trouble when it begins, and when it ends. */
  const report = ({ key, url }: Witness, error?: unknown): undefined => {
    const trouble = error === undefined ? '' : errorMessage(error).slice(0, MOST_LOGGED);
    if (trouble === (troubles.get(key.id) ?? '')) return;
    troubles.set(key.id, trouble);
    if (trouble === '') log.info({ witness: key.name, url }, 'A witness signs again');
    else log.warn({ witness: key.name, url, error: trouble }, 'A witness did not sign');
  };

  const askOne = async (
    { key, url }: Witness,
    checkpoint: SignedCheckpoint,
    prove: ProveConsistency,
    taken: AbortSignal,
  ): Promise<string> => {
    const signal = AbortSignal.timeout(ANSWERS_WITHIN_MS);
    for (let attempt = 1; attempt <= 2; attempt++) {
      taken.throwIfAborted();
      const place = `${key.id} ${checkpoint.origin}`;
      const old = signedSizes.get(place) ?? 0;
      const proof = (await prove(old)).map((hash) => `${hash.toString('base64')}\n`).join('');
      const answer = await ask(`${url}/add-checkpoint`, { method: 'POST', body: `old ${old}\n${proof}\n${checkpoint.note}`, signal });
      const text = await readAnswer(answer);
      if (answer.status === 200) {
        const line = findCosignature(text, checkpoint, key);
        // The next checkpoint may be signed before the answer to this one comes.
        signedSizes.set(place, Math.max(checkpoint.size, signedSizes.get(place) ?? 0));
        taken.throwIfAborted();
        return line;
      }
      const size = answer.status === 409 ? parseTreeNumber(text.trim()) : undefined;
      if (size === undefined || size > checkpoint.size) throw new Error(`${url} refused the checkpoint with ${answer.status}`);
      signedSizes.set(place, size);
    }
    throw new Error(`${url} refused the checkpoint twice`);
  };

  return {
    /**
     * Returns what each witness signed last under an origin, without those that signed nothing, or do not say it. If all are needed, throws
     * when one does not say it.
     */
    recall: async (origin: string, needsAll: boolean): Promise<readonly SignedCheckpoint[]> => {
      const recallOne = (witness: Witness) =>
        fetchLast(witness, origin).catch((cause: unknown) => {
          if (!needsAll) return undefined;
          const why = errorMessage(cause).slice(0, MOST_LOGGED);
          throw new Error(
            `DATA_DIR has no log-checkpoint, and the witness ${witness.url} does not say what it signed last (${why}). Nothing is signed until it does: start it, or take it out of LOG_WITNESSES`,
            { cause },
          );
        });
      return (await Promise.all(witnesses.map(recallOne))).filter((each) => each !== undefined);
    },

    /**
     * Asks all witnesses at once. Returns the lines of their signatures, in the order of the configuration; undefined if fewer than the
     * quorum signed. A witness that is away delays this by two seconds at most, or by 700 ms when the quorum is 0, or by 300 ms once
     * enough have signed, which is at least one. An answer that comes later still tells what to prove to this witness next time.
     */
    cosign: async (checkpoint: SignedCheckpoint, prove: ProveConsistency): Promise<readonly string[] | undefined> => {
      if (witnesses.length === 0) return [];
      const lines = new Map<Witness, string>();
      const isEnough = new AbortController();
      const taken = new AbortController();
      const cosignBy = async (witness: Witness): Promise<void> => {
        const line = await askOne(witness, checkpoint, prove, taken.signal).catch((error: unknown) => report(witness, error));
        if (line !== undefined) report(witness);
        if (line !== undefined) lines.set(witness, line);
        if (lines.size >= Math.max(1, quorum)) isEnough.abort();
      };
      const patience = async (): Promise<void> => {
        await sleep((quorum === 0 ? UNNEEDED_WITHIN_MS : ANSWERS_WITHIN_MS) - GRACE_MS, isEnough.signal);
        await sleep(GRACE_MS);
      };
      await Promise.race([Promise.all(witnesses.map(cosignBy)), patience()]);
      taken.abort(new Error('It answered too late'));
      isEnough.abort();
      const signed = witnesses.flatMap((witness) => lines.get(witness) ?? []);
      return signed.length >= quorum ? signed : undefined;
    },
  };
};
export type Witnesses = ReturnType<typeof createWitnesses>;
