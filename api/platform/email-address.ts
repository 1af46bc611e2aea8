import { domainToASCII } from 'node:url';
import { z } from 'zod';

import type { Brand } from '#domain/shared/ids.ts';
import { withoutInvisible } from '#domain/shared/text.ts';

/** An address in the normal form in which the shop stores, compares and uses it. */
export type EmailAddress = Brand<string, 'EmailAddress'>;

/** Allows no blanks, no control characters, and nothing with a meaning in a mail's header. */
const LOCAL_PART = /^[^\s\p{C}"(),:;<>@[\\\]]+$/u;
const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?=[a-z0-9-]*[a-z])[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const MAX_BYTES = { local: 64, all: 254 };

/**
 * Returns the normal form, or undefined if the text is no address: NFKC, without invisible characters and outer blanks, lower case, NFC;
 * the domain by its ASCII name. `Alice@Example.com `, and an é in one or two characters, are the same account; letters that only look alike
 * are not. Mail is sent to the normal form, never to the typed text, which might reach another address.
 */
export const emailAddress = (text: string): EmailAddress | undefined => {
  const normal = withoutInvisible(text).normalize('NFKC').trim().toLowerCase().normalize('NFC');
  const at = normal.lastIndexOf('@');
  const local = normal.slice(0, Math.max(at, 0));
  const domain = domainToASCII(normal.slice(at + 1));
  const address = `${local}@${domain}`;
  if (!LOCAL_PART.test(local) || !DOMAIN.test(domain)) return undefined;
  if (Buffer.byteLength(local) > MAX_BYTES.local || Buffer.byteLength(address) > MAX_BYTES.all) return undefined;
  return address as EmailAddress;
};

export const EmailInput = z
  .string()
  .max(1_000, 'Please enter a valid e-mail address')
  .transform((text, ctx): EmailAddress => {
    const address = emailAddress(text);
    if (address) return address;
    ctx.addIssue({ code: 'custom', message: text.trim() === '' ? 'Required' : 'Please enter a valid e-mail address' });
    return z.NEVER;
  });
