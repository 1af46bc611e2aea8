import { z } from 'zod';

import { latinDigits } from '#domain/shared/text.ts';

import { required, typed, typedLine } from '../http/input.ts';
import { EmailInput } from '../platform/email-address.ts';
import { isCommonPassword, isShopsName } from './passwords/common-passwords.ts';

const LENGTH = { min: 8, max: 128 };
/** Unpaired surrogates have no UTF-8 form: two different ones would be the same password. */
const HALF_CHARACTER = /\p{Cs}/u;

const findPasswordProblem = (password: string): string | undefined => {
  const length = [...password].length;
  if (length < LENGTH.min) return `Please use at least ${LENGTH.min} characters`;
  if (length > LENGTH.max) return `Please use at most ${LENGTH.max} characters`;
  if (HALF_CHARACTER.test(password)) return 'This password has characters that cannot be typed';
  if (isCommonPassword(password)) return 'This password is too common';
  return isShopsName(password) ? 'Please do not use the name of the shop' : undefined;
};

/** The exact characters count: nothing is trimmed or folded. */
export const NewPassword = z.string().superRefine((password, ctx) => {
  const message = password === '' ? 'Required' : findPasswordProblem(password);
  if (message) ctx.addIssue({ code: 'custom', message });
});

const GivenPassword = z.string().min(1, 'Required').max(1_000, 'This is longer than any password here');

const isConfirmed = ({ password, confirm_password }: { password: string; confirm_password: string }): boolean =>
  password === confirm_password;
const NOT_CONFIRMED = { path: ['confirm_password'], message: 'The passwords are not the same' };

const Phone = typed
  .trim()
  .min(1, 'Required')
  .regex(/^[+\d(][\d\s().\-/]{2,31}$/, 'Please enter a valid phone number');

export const RegisterInput = z
  .object({
    name: required(typedLine(100)),
    email: EmailInput,
    phone: Phone,
    password: NewPassword,
    confirm_password: z.string().min(1, 'Required'),
  })
  // This makes it reported together with the other errors.
  .refine(isConfirmed, {
    ...NOT_CONFIRMED,
    when: ({ value }) => z.object({ password: z.string(), confirm_password: z.string().min(1) }).safeParse(value).success,
  });

export const LoginInput = z.object({ email: EmailInput, password: GivenPassword });
const UserId = z.uuid('Not the id of an account');
/** Mail programs put blanks into codes, and keyboards of other scripts have digits of their own. */
export const VerifyInput = z.object({
  userId: UserId,
  otp: z
    .string()
    .transform((text) => latinDigits(text).replaceAll(/\s/g, ''))
    .pipe(z.string().regex(/^\d{6}$/, 'Please enter the full 6-digit OTP.')),
});
export const ResendInput = z.object({ userId: UserId });
export const ForgotInput = z.object({ email: EmailInput });
export const ResetInput = z
  .object({ token: z.string().min(1, 'Required').max(200), password: NewPassword, confirm_password: z.string().min(1, 'Required') })
  .refine(isConfirmed, NOT_CONFIRMED);
export const GoogleInput = z.object({ token: z.string().min(1, 'Required').max(8_192) });
