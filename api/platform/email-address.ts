import { domainToASCII } from 'node:url';
import { z } from 'zod';

import { findEmailProblem, NOT_AN_EMAIL, parseEmail } from '#domain/shared/email.ts';
import type { Brand } from '#domain/shared/ids.ts';

/** An address in the normal form in which accounts and lists store, compare and use it. */
export type EmailAddress = Brand<string, 'EmailAddress'>;

/** The longest part of a domain is found only in its ASCII name. */
const DOMAIN = /^[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})+$/;

/**
 * Returns the normal form, or undefined if the text is no address: as the domain stores it, in lower case, the domain by its ASCII name.
 * `Alice@Example.com `, and an é in one or two characters, are the same account; letters that only look alike are not. Mail is sent to the
 * normal form, never to the typed text, which might reach another address.
 */
export const emailAddress = (text: string): EmailAddress | undefined => {
  const typed = parseEmail(text)?.toLowerCase().normalize('NFC');
  if (typed === undefined) return undefined;
  const at = typed.lastIndexOf('@');
  const domain = domainToASCII(typed.slice(at + 1));
  const address = typed.slice(0, at + 1) + domain;
  return DOMAIN.test(domain) && address.length <= 254 ? (address as EmailAddress) : undefined;
};

export const EmailInput = z
  .string()
  .max(1_000, NOT_AN_EMAIL)
  .transform((text, ctx): EmailAddress => {
    const address = emailAddress(text);
    if (address) return address;
    ctx.addIssue(findEmailProblem(text) ?? NOT_AN_EMAIL);
    return z.NEVER;
  });
