import { z } from 'zod';

import { isBlank, withoutUnseen } from '#domain/shared/text.ts';

const UNREADABLE = 'Please use letters, digits and signs only';

/** Typed text without invisible characters. */
export const typed = z.string('Must be text').overwrite(withoutUnseen);

/** No control characters but tabs and line ends, and no unpaired surrogates: Postgres refuses both in JSON. */
export const readableText = typed.regex(/^(?:[\t\n\r]|[^\p{Cc}\p{Cs}])*$/u, UNREADABLE);

/** Line ends, control characters and unpaired surrogates: not allowed in a single line. */
const OF_NO_LINE = /[\p{Cc}\p{Cs}\u2028\u2029]/u;
/** URL-encoded line breaks: no name contains them, and they are used to inject mail headers. */
const SPELLED_BREAK = /%0[ad]/i;

/** One line that a person has typed, without blanks around it. */
export const typedLine = (max: number) =>
  typed
    .trim()
    .max(max, `Please use at most ${max} characters`)
    .refine((text) => !OF_NO_LINE.test(text) && !SPELLED_BREAK.test(text), UNREADABLE);

/** A text in which there is something to be read. */
export const required = (text: z.ZodString): z.ZodString => text.refine((given) => !isBlank(given), 'Required');
