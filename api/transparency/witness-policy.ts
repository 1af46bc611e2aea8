import { MAX_SIGNATURES, Malformed, parseVkey, type NoteKey } from './signed-note.ts';

/** A witness cosigns checkpoints that continue what it saw before. It answers at `<url>/add-checkpoint`. */
export type Witness = { readonly key: NoteKey; readonly url: string };

/** The witnesses, and how many of them must have signed before a checkpoint is published. */
export type WitnessPolicy = { readonly witnesses: readonly Witness[]; readonly quorum: number };

/** A checkpoint has room for the signatures of this many witnesses, and that of the log. */
export const MOST_WITNESSES = MAX_SIGNATURES - 1;

/** The link on an invoice has room for the signatures of this many witnesses, in a log of a million entries and more. */
export const MOST_NEEDED = 4;

const parseWitness = (text: string): Witness => {
  const [vkey = '', url = '', ...more] = text.trim().split(/\s+/);
  const key = parseVkey(vkey);
  if (key.algorithm !== 4 || !/^https?:\/\/[^\s]+$/.test(url) || more.length > 0) throw new Malformed('No witness');
  return { key, url: url.replace(/\/$/, '') };
};

/** Parses a comma list of `<vkey> <url>`. Returns undefined for anything else. */
export const parseWitnesses = (list: string): readonly Witness[] | undefined => {
  try {
    return list.split(',').map(parseWitness);
  } catch (error) {
    if (error instanceof Malformed) return undefined;
    throw error;
  }
};

/** Returns a witness whose key an earlier one has too, under whatever name: it would count twice for a quorum. */
export const findRepeated = (witnesses: readonly Witness[]): Witness | undefined =>
  witnesses.find(({ key }, at) => witnesses.slice(0, at).some((earlier) => earlier.key.publicKey.equals(key.publicKey)));
