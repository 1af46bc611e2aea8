import { hash } from 'node:crypto';

import { HASH_BYTES, type TreeHead } from './merkle-tree.ts';
import { decodeBase64, Malformed } from './signed-note.ts';

/** What a log signs: its origin, which names it, and its tree at a size. */
export type Checkpoint = TreeHead & { readonly origin: string };

/** Returns the text to be signed. */
export const formatCheckpoint = ({ origin, size, root }: Checkpoint): string => `${origin}\n${size}\n${root.toString('base64')}\n`;

const SIZE = /^(?:0|[1-9]\d{0,15})$/;

/** Parses the number of a leaf or the size of a tree. Returns undefined for anything else, also for leading zeros. */
export const parseTreeNumber = (text: string): number | undefined => {
  const size = SIZE.test(text) ? Number(text) : NaN;
  return Number.isSafeInteger(size) ? size : undefined;
};

/** Parses the hash of a leaf or node as base64. Returns undefined for anything else. */
export const parseTreeHash = (text: string): Buffer | undefined => {
  const bytes = decodeBase64(text);
  return bytes?.length === HASH_BYTES ? bytes : undefined;
};

/** Parses a note's text. Throws `Malformed`, also for lines after the third: this log writes none. */
export const parseCheckpoint = (text: string): Checkpoint => {
  const [origin = '', sizeText = '', rootText = '', ...more] = text.split('\n');
  const [size, root] = [parseTreeNumber(sizeText), parseTreeHash(rootText)];
  if (origin === '' || size === undefined || !root || more.length !== 1 || more[0] !== '') throw new Malformed('Not a checkpoint');
  return { origin, size, root };
};

/** Returns the origin of the log of the shop at this address: its host, with a port that is not the usual one, and `/log`. */
export const logOrigin = (publicUrl: string): string => `${new URL(publicUrl).host}/log`;

const NUMBERED = /^(.*\/log)(?:\/([1-9]\d*))?$/;

/** Returns which origin of its log this is: 1 for `/log`, 2 for `/log/2`. */
export const originNumber = (origin: string): number => Number(NUMBERED.exec(origin)?.[2] ?? 1);

/** Returns another origin of the same log. Throws if the origin has another form. */
export const originAt = (origin: string, number: number): string => {
  const base = NUMBERED.exec(origin)?.[1];
  if (base === undefined) throw new Error(`Not the origin of a log of this shop: ${origin}`);
  return number === 1 ? base : `${base}/${number}`;
};

/** Tests whether two names are origins of one log of this shop. */
export const isSameLog = (one: string, other: string): boolean => {
  const base = NUMBERED.exec(one)?.[1];
  return base !== undefined && base === NUMBERED.exec(other)?.[1];
};

/** Returns by what a witness's address names the checkpoint of an origin (C2SP tlog-witness). */
export const hashOrigin = (origin: string): string => hash('sha256', origin);
