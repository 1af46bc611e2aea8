import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { StreamName } from '#domain/event-store.ts';
import type { SubjectKey } from './subject-keys.ts';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** What a ciphertext is bound to beside its field: moved elsewhere it does not open. */
export type Belonging = { readonly subject: string; readonly stream: StreamName };

/** What every personal text reads once its key is gone (decisions, section 6). */
export const ERASED = 'erased';

/** A ciphertext does not open with its subject's key: altered, or moved here from another subject, stream or field. */
export class SealBroken extends Error {
  override readonly name = 'SealBroken';
  constructor(
    readonly stream: StreamName,
    readonly field: string,
    options?: ErrorOptions,
  ) {
    super(`The personal field ${field} of an event of ${stream} does not open`, options);
  }
}

const IV_BYTES = 12;
const TAG_BYTES = 16;
/** The one member of the object that stands in place of an encrypted text. */
const SEALED = '$enc';

type Path = readonly (string | number)[];
const bindingOf = ({ subject, stream }: Belonging, path: Path): Buffer => Buffer.from(JSON.stringify([subject, stream, ...path]));

/** Makes the 12 bytes that no two encryptions under one key may share. */
export type MakeIv = () => Buffer;
export const randomIv: MakeIv = () => randomBytes(IV_BYTES);

const sealText = (text: string, key: SubjectKey, iv: Buffer, binding: Buffer): Json => {
  const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES }).setAAD(binding);
  const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return { [SEALED]: Buffer.concat([iv, ciphertext, cipher.getAuthTag()]).toString('base64') };
};

const openText = (sealed: string, key: SubjectKey, binding: Buffer): string => {
  const bytes = Buffer.from(sealed, 'base64');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
    .setAAD(binding)
    .setAuthTag(bytes.subarray(-TAG_BYTES));
  return decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
};

const isArray = (value: Json): value is readonly Json[] => Array.isArray(value);

/** Rebuilds a value with `replace` asked at every node; what it leaves undefined is walked into. */
const rebuilt = (value: Json, path: Path, replace: (value: Json, path: Path) => Json | undefined): Json => {
  const replaced = replace(value, path);
  if (replaced !== undefined) return replaced;
  if (value === null || typeof value !== 'object') return value;
  if (isArray(value)) return value.map((each, index) => rebuilt(each, [...path, index], replace));
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, rebuilt(each, [...path, name], replace)]));
};

/** Whether anything is there to encrypt: an empty text tells nothing of anybody, and needs no key. */
export const hasPersonalText = (data: { readonly [field: string]: Json }, fields: readonly string[]): boolean =>
  fields.some((field) => hasText(data[field] ?? null));

const hasText = (value: Json): boolean =>
  typeof value === 'object' && value !== null ? Object.values(value).some(hasText) : typeof value === 'string' && value !== '';

/** Encrypts every text under these fields of an event's data by itself: `{"$enc": "<base64 of iv, ciphertext, tag>"}`. */
export const sealFields = (
  data: { readonly [field: string]: Json },
  fields: readonly string[],
  key: SubjectKey,
  belonging: Belonging,
  makeIv: MakeIv,
): Json =>
  rebuilt(data, [], (value, path) => {
    if (path.length > 0 && !fields.includes(String(path[0]))) return value;
    return typeof value === 'string' && value !== '' ? sealText(value, key, makeIv(), bindingOf(belonging, path)) : undefined;
  });

const sealedIn = (value: Json): string | undefined => {
  if (value === null || typeof value !== 'object' || isArray(value)) return undefined;
  const sealed = value[SEALED];
  return typeof sealed === 'string' && Object.keys(value).length === 1 ? sealed : undefined;
};

/** Decrypts wherever something is encrypted, whatever today's fields are called; without a key every such text reads `erased`. */
export const openFields = (data: Json, key: SubjectKey | undefined, belonging: Belonging): Json =>
  rebuilt(data, [], (value, path) => {
    const sealed = sealedIn(value);
    if (sealed === undefined) return undefined;
    if (!key) return ERASED;
    try {
      return openText(sealed, key, bindingOf(belonging, path));
    } catch (cause) {
      throw new SealBroken(belonging.stream, path.join('.'), { cause });
    }
  });
