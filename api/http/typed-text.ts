import { z } from 'zod';

const UNREADABLE = 'Please use letters, digits and signs only';

/** What can be read and kept: no control characters but tabs and line ends, no halves of characters. Postgres takes neither in JSON. */
export const readableText = z.string('Must be text').regex(/^(?:[\t\n\r]|[^\p{Cc}\p{Cs}])*$/u, UNREADABLE);

/** Characters that cannot be seen, a line's end among them; what joins letters of Indian scripts and parts of an emoji is none. */
const UNSEEN = /(?![\u200c\u200d])\p{C}/u;
/** Line breaks as a form or an address spells them: nobody's name has them, but a mail's header might be made of one. */
const SPELLED_BREAK = /%0[ad]/i;

/** One line that a person has typed, without blanks around it. */
export const typedLine = (max: number) =>
  z
    .string()
    .trim()
    .max(max, `Please use at most ${max} characters`)
    .refine((text) => !UNSEEN.test(text) && !SPELLED_BREAK.test(text), UNREADABLE);
