import { z } from 'zod';

import { latinDigits } from '#domain/shared/text.ts';
import { staffRoles } from '#domain/staff/duties.ts';

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

const OptionalPhone = typed.trim().regex(/^(?:[+\d(][\d\s().\-/]{2,31})?$/, 'Please enter a valid phone number');
const Phone = OptionalPhone.min(1, 'Required');

const ConfirmedPassword = z.object({ password: z.string(), confirm_password: z.string().min(1) });
/** A wrong confirmation is reported together with the other errors. */
const WITH_OTHERS = { when: ({ value }: { readonly value: unknown }) => ConfirmedPassword.safeParse(value).success };

const newAccount = {
  name: required(typedLine(100)),
  phone: Phone,
  password: NewPassword,
  confirm_password: z.string().min(1, 'Required'),
};

export const RegisterInput = z.object({ ...newAccount, email: EmailInput }).refine(isConfirmed, { ...NOT_CONFIRMED, ...WITH_OTHERS });

const MailedToken = z.string().min(1, 'Required').max(200);
export const InvitationInput = z.object({ token: MailedToken });
/** An invited address without an account gets one. */
export const InvitedInput = z.object(newAccount).refine(isConfirmed, { ...NOT_CONFIRMED, ...WITH_OTHERS });

const Roles = z.array(z.enum(staffRoles, `One of ${staffRoles.join(', ')}`), 'A list of roles').max(20, 'Name each role once');
export const InviteInput = z.object({ email: EmailInput, roles: Roles.min(1, 'Choose at least one role') });
export const MemberInput = z
  .object({ roles: Roles.optional(), disabled: z.boolean('true or false').optional() })
  .refine(({ roles, disabled }) => roles !== undefined || disabled !== undefined, { path: ['roles'], message: 'Required' });

/** A user who came through a third party has no phone number. */
export const ProfileInput = z.object({ name: required(typedLine(100)), phone: OptionalPhone });
export const ChangePasswordInput = z
  .object({ current: z.string().max(1_000).optional(), password: NewPassword, confirm_password: z.string().min(1, 'Required') })
  .refine(isConfirmed, NOT_CONFIRMED);

export const LoginInput = z.object({ email: EmailInput, password: GivenPassword });
/** The database reads an id in any letter case; limits and hashes of codes tell spellings apart. */
const UserId = z.uuid('Not the id of an account').toLowerCase();
/** A code of the authenticator or a recovery code, with blanks and dashes wherever. */
const SecondFactorCode = z
  .string()
  .max(100, 'This is longer than any code here')
  .transform((text) =>
    latinDigits(text)
      .replaceAll(/[\s\-\u2010-\u2015]/g, '')
      .toLowerCase(),
  )
  .pipe(z.string().min(1, 'Required'));
export const ConfirmTotpInput = z.object({ code: SecondFactorCode });
export const RemoveTotpInput = z.object({ password: z.string().max(1_000).optional(), code: SecondFactorCode });
export const LoginTotpInput = z.object({ loginToken: z.string().min(1, 'Required').max(200), code: SecondFactorCode });
/** Mail programs put blanks into codes, and keyboards of other scripts have digits of their own. */
const MailedCode = z
  .string()
  .transform((text) => latinDigits(text).replaceAll(/\s/g, ''))
  .pipe(z.string().regex(/^\d{6}$/, 'Please enter the full 6-digit OTP.'));
export const VerifyInput = z.object({ userId: UserId, otp: MailedCode });
export const ChangeEmailInput = z.object({ email: EmailInput, password: z.string().max(1_000).optional() });
export const ConfirmEmailInput = z.object({ code: MailedCode });
export const TakeBackInput = z.object({ token: z.string().min(1, 'Required').max(200) });
export const ResendInput = z.object({ userId: UserId });
export const ForgotInput = z.object({ email: EmailInput });
export const ResetInput = z
  .object({ token: MailedToken, password: NewPassword, confirm_password: z.string().min(1, 'Required') })
  .refine(isConfirmed, NOT_CONFIRMED);
/** With `join` the token joins its Google account to the signed-in account, and opens no other. */
export const GoogleInput = z.object({ token: z.string().min(1, 'Required').max(8_192), join: z.boolean().default(false) });
