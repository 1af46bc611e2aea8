import { z } from 'zod';

import { required, typed, typedLine } from '../http/input.ts';
import { EmailInput } from '../platform/email-address.ts';
import { GivenPassword, isConfirmed, NewPassword, NOT_CONFIRMED } from './passwords/password-rules.ts';

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
  // Reported together with the other errors, so that the form needs one correction only.
  .refine(isConfirmed, {
    ...NOT_CONFIRMED,
    when: ({ value }) => z.object({ password: z.string(), confirm_password: z.string().min(1) }).safeParse(value).success,
  });

export const LoginInput = z.object({ email: EmailInput, password: GivenPassword });
const UserId = z.uuid('Not the id of an account');
/** Mail programs put blanks into codes. */
export const VerifyInput = z.object({
  userId: UserId,
  otp: z
    .string()
    .transform((text) => text.replaceAll(/\s/g, ''))
    .pipe(z.string().regex(/^\d{6}$/, 'Please enter the full 6-digit OTP.')),
});
export const ResendInput = z.object({ userId: UserId });
export const ForgotInput = z.object({ email: EmailInput });
export const ResetInput = z
  .object({ token: z.string().min(1, 'Required').max(200), password: NewPassword, confirm_password: z.string().min(1, 'Required') })
  .refine(isConfirmed, NOT_CONFIRMED);
export const GoogleInput = z.object({ token: z.string().min(1, 'Required').max(8_192) });
