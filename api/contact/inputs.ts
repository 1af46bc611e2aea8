import { z } from 'zod';

import { EmailInput } from '../accounts/email-address.ts';

/** Characters that cannot be seen, a line's end among them; what joins letters of Indian scripts and parts of an emoji is none. */
const UNSEEN = /(?![\u200c\u200d])\p{C}/u;
/** Line breaks as a form or an address spells them: nobody's name has them, but a mail's header might be made of one. */
const SPELLED_BREAK = /%0[ad]/i;

const line = (max: number) =>
  z
    .string()
    .trim()
    .max(max, `Please use at most ${max} characters`)
    .refine((text) => !UNSEEN.test(text) && !SPELLED_BREAK.test(text), 'Please use letters, digits and signs only');

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
  name: line(100).min(1, 'Required'),
  email: EmailInput,
  phone: line(40).default(''),
  message: prose(5_000),
});
