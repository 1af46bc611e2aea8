import { z } from 'zod';

import { EmailInput } from '../accounts/email-address.ts';
import { typedLine } from '../http/typed-text.ts';

/** Several lines, ended alike; characters that do something to a screen or cannot be stored are left out. */
const prose = (max: number) =>
  z
    .string()
    .transform((text) =>
      text
        .replaceAll(/\r\n?|\u2028|\u2029/g, '\n')
        .replaceAll(/(?![\n\t])\p{Cc}|\p{Cs}/gu, '')
        .trim(),
    )
    .pipe(z.string().min(1, 'Required').max(max, `Please use at most ${max} characters`));

/** A message to the shop (decisions, section 7): name, e-mail and message are required, the phone is not. */
export const ContactInput = z.object({
  name: typedLine(100).min(1, 'Required'),
  email: EmailInput,
  phone: typedLine(40).default(''),
  message: prose(5_000),
});
