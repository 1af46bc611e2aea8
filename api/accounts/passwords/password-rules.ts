import { z } from 'zod';

import { isCommonPassword, isShopsName } from './common-passwords.ts';

const LENGTH = { min: 8, max: 128 };
/** Unpaired surrogates have no UTF-8 form of their own, so two different ones would be the same password. */
const HALF_CHARACTER = /\p{Cs}/u;

const problemOf = (password: string): string | undefined => {
  const length = [...password].length;
  if (length < LENGTH.min) return `Please use at least ${LENGTH.min} characters`;
  if (length > LENGTH.max) return `Please use at most ${LENGTH.max} characters`;
  if (HALF_CHARACTER.test(password)) return 'This password has characters that cannot be typed';
  if (isCommonPassword(password)) return 'This password is too common';
  return isShopsName(password) ? 'Please do not use the name of the shop' : undefined;
};

/** A password to be set: its exact characters, nothing trimmed, folded or cut off. */
export const NewPassword = z.string().superRefine((password, ctx) => {
  const message = password === '' ? 'Required' : problemOf(password);
  if (message) ctx.addIssue({ code: 'custom', message });
});

/** A password to be compared: any text of at most 1,000 characters. */
export const GivenPassword = z.string().min(1, 'Required').max(1_000, 'This is longer than any password here');

/** For schemas that take a new password and its repetition. */
export const isConfirmed = ({ password, confirm_password }: { password: string; confirm_password: string }): boolean =>
  password === confirm_password;
export const NOT_CONFIRMED = { path: ['confirm_password'], message: 'The passwords are not the same' };
