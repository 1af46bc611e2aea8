import { isBlank, withoutInvisible } from './text.ts';

/** Allows no blanks, no control characters, and nothing with a meaning in a mail's header; dots only between other characters. */
const LOCAL_PART = /^(?!\.)(?:[^\s\p{C}"(),.:;<>@[\\\]]|\.(?!\.|$))+$/u;
/** Allows names of at least two parts, in letters of any script, whose last part is no number. */
const DOMAIN = /^(?:[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?(?:\.(?!$)|$)){2,}$/u;
const NUMBER_AT_END = /\.\d+$/;
const MAX_BYTES = { local: 64, all: 254 };

const countBytes = (text: string): number => encodeURIComponent(text).replaceAll(/%../g, '.').length;

/**
 * Returns the typed e-mail address as it is stored: NFKC, without invisible characters and outer blanks, the domain in lower case. Returns
 * undefined if no mail server would take it.
 */
export const parseEmail = (typed: string): string | undefined => {
  const plain = withoutInvisible(typed).normalize('NFKC').trim();
  const at = plain.lastIndexOf('@');
  const local = plain.slice(0, Math.max(at, 0));
  const domain = plain
    .slice(at + 1)
    .replaceAll('。', '.')
    .toLowerCase()
    .normalize('NFC');
  if (!LOCAL_PART.test(local) || !DOMAIN.test(domain) || NUMBER_AT_END.test(domain)) return undefined;
  const address = `${local}@${domain}`;
  return countBytes(local) > MAX_BYTES.local || countBytes(address) > MAX_BYTES.all ? undefined : address;
};

/** Says what is wrong with a typed e-mail address; undefined if nothing is. All forms and calls use this sentence. */
export const findEmailProblem = (typed: string): string | undefined => {
  if (isBlank(typed)) return 'Required';
  return parseEmail(typed) === undefined ? NOT_AN_EMAIL : undefined;
};

export const NOT_AN_EMAIL = 'Please enter an e-mail address such as meera@example.com';
