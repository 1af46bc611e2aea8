import { z } from 'zod';

import { EmailInput } from './email-address.ts';
import { GivenPassword, isConfirmed, NewPassword, NOT_CONFIRMED } from './password-rules.ts';

/** A line of text that a person has typed: outer blanks gone, and without characters that cannot be seen. */
const line = (max: number) =>
  z
    .string()
    .trim()
    .min(1, 'Required')
    .max(max, `Please use at most ${max} characters`)
    .regex(/^\P{C}*$/u, 'Please use letters, digits and signs only');

const Phone = z
  .string()
  .trim()
  .min(1, 'Required')
  .regex(/^[+\d(][\d\s().\-/]{2,31}$/, 'Please enter a valid phone number');

export const RegisterInput = z
  .object({ name: line(100), email: EmailInput, phone: Phone, password: NewPassword, confirm_password: z.string().min(1, 'Required') })
  // Beside what else may be wrong: a form is corrected once.
  .refine(isConfirmed, {
    ...NOT_CONFIRMED,
    when: ({ value }) => z.object({ password: z.string(), confirm_password: z.string().min(1) }).safeParse(value).success,
  });

export const LoginInput = z.object({ email: EmailInput, password: GivenPassword });
/** Blanks in a code are the mail program's. */
export const VerifyInput = z.object({
  userId: z.uuid(),
  otp: z
    .string()
    .transform((text) => text.replaceAll(/\s/g, ''))
    .pipe(z.string().regex(/^\d{6}$/, 'Please enter the full 6-digit OTP.')),
});
export const ResendInput = z.object({ userId: z.uuid() });
export const ForgotInput = z.object({ email: EmailInput });
export const ResetInput = z
  .object({ token: z.string().min(1, 'Required').max(200), password: NewPassword, confirm_password: z.string().min(1, 'Required') })
  .refine(isConfirmed, NOT_CONFIRMED);
export const GoogleInput = z.object({ token: z.string().min(1, 'Required').max(8_192), nonce: z.string().min(1).max(256).optional() });
