import { hash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';

import { CannotStart, getErrorCode } from '../platform/cannot-start.ts';
import { readOrCreateSecret, readSecret, replaceFile } from '../platform/data-dir.ts';
import { keyedMutex } from '../platform/keyed-mutex.ts';
import { hashOrigin, isSameLog, originNumber, parseTreeHash, parseTreeNumber } from './checkpoint.ts';
import { parseSignedCheckpoint, type SignedCheckpoint } from './log-key.ts';
import { EMPTY_ROOT, isConsistent } from './merkle-tree.ts';
import {
  createSigner,
  findSignatureLine,
  formatNote,
  formatVkey,
  Malformed,
  parseNote,
  parseVkey,
  renameKey,
  signNote,
  type NoteKey,
  type NoteSigner,
} from './signed-note.ts';

/** An answer of the witness protocol (C2SP tlog-witness): a status and a text. */
export type WitnessAnswer = { readonly status: 200 | 400 | 403 | 404 | 409 | 422; readonly type: string; readonly body: string };

const TEXT = 'text/plain; charset=utf-8';
const answer = (status: WitnessAnswer['status'], body: string, type = TEXT): WitnessAnswer => ({ status, type, body });

const MOST_PROOF_LINES = 63;

type Request = { readonly old: number; readonly proof: readonly Buffer[]; readonly checkpoint: SignedCheckpoint };

/** Throws `Malformed`. */
const parseRequest = (text: string): Request => {
  const end = text.indexOf('\n\n');
  const [first = '', ...lines] = text.slice(0, Math.max(0, end)).split('\n');
  const old = parseTreeNumber(/^old (.*)$/.exec(first)?.[1] ?? '');
  const proof = lines.map(parseTreeHash).filter((each) => each !== undefined);
  if (end < 0 || old === undefined || proof.length !== lines.length || lines.length > MOST_PROOF_LINES)
    throw new Malformed('A request has the old size, a proof, an empty line and a checkpoint');
  return { old, proof, checkpoint: parseSignedCheckpoint(text.slice(end + 2)) };
};

/** With 404, the witness says so for an origin of which it has signed no checkpoint. */
export const NOTHING_SIGNED = '0\n';

const checkpointFile = (originHash: string): string => `checkpoint-${originHash}`;

/** Cosigns the checkpoints of one log, each of which continues the one before. One process uses a directory. */
export class LogWitness {
  readonly #mutex = keyedMutex();

  private constructor(
    readonly directory: string,
    readonly signer: NoteSigner,
    readonly keys: readonly NoteKey[],
    readonly now: () => number,
  ) {}

  /**
   * Opens the witness that is kept in this directory, which is made at first: its key, and the keys of the log, read once with `readKeys`
   * and believed for ever. Throws `CannotStart` when the log's keys cannot be read.
   */
  static async open(directory: string, readKeys: () => Promise<string>, now: () => number = Date.now): Promise<LogWitness> {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const seed = Buffer.from(await readOrCreateSecret(directory, 'witness-key', 'base64'), 'base64');
    const name = `witness-${hash('sha256', formatVkey(createSigner('witness', seed, 4))).slice(0, 8)}`;
    const known = await readSecret(directory, 'log-keys');
    try {
      const vkeys = known ?? (await readKeys());
      const keys = vkeys.trimEnd().split('\n').map(parseVkey);
      if (known === undefined) await replaceFile(directory, 'log-keys', vkeys);
      return new LogWitness(directory, createSigner(name, seed, 4), keys, now);
    } catch (error) {
      throw new CannotStart(`The keys of the log cannot be read: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  get vkey(): string {
    return formatVkey(this.signer);
  }

  /** Returns the last checkpoint that was cosigned of the log whose origin has this hash. */
  async readLatest(originHash: string): Promise<string | undefined> {
    return readFile(path.join(this.directory, checkpointFile(originHash)), 'utf8').catch((error: unknown) => {
      if (getErrorCode(error) === 'ENOENT') return undefined;
      throw error;
    });
  }

  /**
   * Returns the keys that may sign under this origin: those pinned for it, or else for the nearest earlier origin of the same log, which may
   * go on under a later one.
   */
  #keysFor(origin: string): readonly NoteKey[] {
    const number = originNumber(origin);
    const earlier = this.keys.filter(({ name }) => name === origin || (isSameLog(name, origin) && originNumber(name) < number));
    const nearest = Math.max(...earlier.map(({ name }) => originNumber(name)));
    return earlier.filter(({ name }) => originNumber(name) === nearest).map((key) => renameKey(key, origin));
  }

  /** Handles `add-checkpoint`: comparing with the last checkpoint and replacing it are one step. */
  async add(body: string): Promise<WitnessAnswer> {
    try {
      const request = parseRequest(body);
      const { origin } = request.checkpoint;
      const keys = this.#keysFor(origin);
      if (keys.length === 0) return answer(404, 'This witness does not know the log\n');
      const note = parseNote(request.checkpoint.note);
      const logLine = keys.map((key) => findSignatureLine(note, key)).find((line) => line !== undefined);
      if (logLine === undefined) return answer(403, 'The log did not sign this checkpoint\n');
      return await this.#mutex(origin, () => this.#addSigned(request, note.text, logLine));
    } catch (error) {
      if (error instanceof Malformed) return answer(400, `${error.message}\n`);
      throw error;
    }
  }

  async #addSigned({ old, proof, checkpoint }: Request, text: string, logLine: string): Promise<WitnessAnswer> {
    const { size, root, origin } = checkpoint;
    if (old > size) return answer(400, 'The old size is larger than the checkpoint\n');
    const kept = await this.readLatest(hashOrigin(origin));
    const latest = kept === undefined ? { size: 0, root: EMPTY_ROOT } : parseSignedCheckpoint(kept);
    if (old !== latest.size) return answer(409, `${latest.size}\n`, 'text/x.tlog.size');
    if (!isConsistent(latest, { size, root }, proof)) return answer(422, 'The checkpoint does not continue the last one\n');
    const line = signNote(text, this.signer, Math.floor(this.now() / 1_000));
    // Whoever sends the checkpoint can add signatures of strangers to it: they are not kept.
    await replaceFile(this.directory, checkpointFile(hashOrigin(origin)), formatNote(text, [logLine, line]));
    return answer(200, line);
  }
}
