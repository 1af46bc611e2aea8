import { randomBytes } from 'node:crypto';
import { ERASED, UNREADABLE, type StreamName } from '#domain/event-store.ts';

import { decrypt, encrypt, IV_BYTES } from '../../platform/aes-gcm.ts';
import { DAMAGED, type SubjectKey } from './subject-keys.ts';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** The context is authenticated together with a ciphertext and its field: elsewhere the ciphertext does not decrypt. */
export type FieldContext = { readonly subject: string; readonly stream: StreamName };

/** A ciphertext was altered, or moved here from another subject, stream or field. */
export class SealBroken extends Error {
  override readonly name = 'SealBroken';
  constructor(
    readonly stream: StreamName,
    readonly field: string,
    options?: ErrorOptions,
  ) {
    super(`The personal field ${field} of an event of ${stream} cannot be decrypted`, options);
  }
}

/** An encrypted value is replaced by an object with this member. */
const SEALED = '$enc';
/** If the value is not a plain text, the object's second member is its value after an erasure. */
const FORM = '$erased';

type Path = readonly (string | number)[];
const createBinding = ({ subject, stream }: FieldContext, path: readonly Json[]): Buffer =>
  Buffer.from(JSON.stringify([subject, stream, ...path]));

/** Makes 12 bytes, which must never repeat under one key. */
export type MakeIv = () => Buffer;
export const randomIv: MakeIv = () => randomBytes(IV_BYTES);

const isArray = (value: Json): value is readonly Json[] => Array.isArray(value);

/** Returns the same object when no part changed. */
const replaceMembers = (value: Json, replace: (value: Json, at: string | number) => Json): Json => {
  if (value === null || typeof value !== 'object') return value;
  if (isArray(value)) {
    const replaced = value.map(replace);
    return replaced.some((each, index) => each !== value[index]) ? replaced : value;
  }
  let replaced: Record<string, Json> | undefined;
  for (const name in value) {
    const part = value[name] ?? null;
    const instead = replace(part, name);
    if (instead !== part) (replaced ??= { ...value })[name] = instead;
  }
  return replaced ?? value;
};

/** Replaces all texts except empty ones. */
const replaceTexts = (value: Json, text: string): Json =>
  typeof value === 'string' ? value && text : replaceMembers(value, (part) => replaceTexts(part, text));

/** Returns whether a field has a text. An empty text reveals nothing and needs no key. */
export const hasPersonalText = (data: { readonly [field: string]: Json }, fields: readonly string[]): boolean =>
  fields.some((field) => hasText(data[field] ?? null));

const hasText = (value: Json): boolean =>
  typeof value === 'object' && value !== null ? Object.values(value).some(hasText) : typeof value === 'string' && value !== '';

/**
 * Encrypts each field as a whole: a text becomes `{"$enc": "<base64 of iv, ciphertext, tag>"}`; any other value with texts is encrypted as
 * JSON, with `$erased` beside it. With one encryption for each field, addresses are cheap.
 */
export const sealFields = (
  data: { readonly [field: string]: Json },
  fields: readonly string[],
  key: SubjectKey,
  belonging: FieldContext,
  makeIv: MakeIv,
): Json => {
  const sealed: Record<string, Json> = { ...data };
  for (const field of fields) {
    const value = data[field] ?? null;
    if (!hasText(value)) continue;
    const seal = (text: string, ...path: readonly Json[]) =>
      encrypt(key.bytes, createBinding(belonging, path), text, makeIv()).toString('base64');
    const form = replaceTexts(value, ERASED);
    sealed[field] =
      typeof value === 'string' ? { [SEALED]: seal(value, field) } : { [SEALED]: seal(JSON.stringify(value), field, form), [FORM]: form };
  }
  return sealed;
};

type SealedValue = { readonly ciphertext: string; readonly form: Json | undefined };

const parseSealed = (value: Json): SealedValue | undefined => {
  if (value === null || typeof value !== 'object' || isArray(value)) return undefined;
  const { [SEALED]: ciphertext, [FORM]: form, ...others } = value;
  return typeof ciphertext === 'string' && Object.keys(others).length === 0 ? { ciphertext, form } : undefined;
};

const opened = ({ ciphertext, form }: SealedValue, key: SubjectKey, belonging: FieldContext, path: Path): Json => {
  try {
    const binding = createBinding(belonging, form === undefined ? path : [...path, form]);
    const text = decrypt(key.bytes, binding, Buffer.from(ciphertext, 'base64')).toString();
    return form === undefined ? text : JSON.parse(text);
  } catch (cause) {
    throw new SealBroken(belonging.stream, path.join('.'), { cause });
  }
};

/**
 * Decrypts everything that is encrypted, whatever today's field names are: whole fields, or single texts as in the older format. Without a
 * key each such text reads `erased`, with a damaged one `unreadable`.
 */
export const openFields = (data: Json, key: SubjectKey | undefined, belonging: FieldContext, path: Path = []): Json =>
  replaceMembers(data, (value, at) => {
    if (value === null || typeof value !== 'object') return value;
    const sealed = parseSealed(value);
    if (!sealed) return openFields(value, key, belonging, [...path, at]);
    if (key?.bytes === DAMAGED) return replaceTexts(sealed.form ?? ERASED, UNREADABLE);
    return key ? opened(sealed, key, belonging, [...path, at]) : (sealed.form ?? ERASED);
  });
