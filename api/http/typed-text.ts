import { z } from 'zod';

import { isBlank } from '#domain/shared/blank.ts';
import { withoutUnseen } from '#domain/shared/unseen.ts';

const UNREADABLE = 'Please use letters, digits and signs only';

/** What somebody has typed, as it is seen. */
export const typed = z.string('Must be text').overwrite(withoutUnseen);

/** What can be read and kept: no control characters but tabs and line ends, no halves of characters. Postgres takes neither in JSON. */
export const readableText = typed.regex(/^(?:[\t\n\r]|[^\p{Cc}\p{Cs}])*$/u, UNREADABLE);

/** What is in no line: its ends, control characters, and halves of characters. */
const OF_NO_LINE = /[\p{Cc}\p{Cs}\u2028\u2029]/u;
/** Line breaks as a form or an address spells them: nobody's name has them, but a mail's header might be made of one. */
const SPELLED_BREAK = /%0[ad]/i;

/** One line that a person has typed, without blanks around it. */
export const typedLine = (max: number) =>
  typed
    .trim()
    .max(max, `Please use at most ${max} characters`)
    .refine((text) => !OF_NO_LINE.test(text) && !SPELLED_BREAK.test(text), UNREADABLE);

/** A text in which there is something to be read. */
export const required = (text: z.ZodString): z.ZodString => text.refine((given) => !isBlank(given), 'Required');
