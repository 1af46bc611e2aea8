import { z } from 'zod';

import { isBlank, withoutInvisible } from '#domain/shared/text.ts';

import { invalid } from './http-error.ts';

const UNREADABLE = 'Please use letters, digits and signs only';

/** Typed text without invisible characters. */
export const typed = z.string('Must be text').overwrite(withoutInvisible);

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

/** In words for the one who typed it, where the schema has none of its own. */
const fallback = (issue: z.core.$ZodRawIssue): string | undefined =>
  issue.code === 'invalid_type' ? `Must be of type ${issue.expected}` : undefined;

/** A field that is not there is required, whatever else the schema would have to say of it. */
const sentenceOf = ({ code, input, message }: z.core.$ZodIssue): string =>
  (code === 'invalid_type' || code === 'invalid_value') && (input === undefined || input === null) ? 'Required' : message;

/** A value that came from outside, as the schema makes it; unknown keys dropped. Throws a 400 that names each wrong field. */
export const parse = <Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> => {
  const parsed = schema.safeParse(value, { error: fallback, reportInput: true });
  if (parsed.success) return parsed.data;
  const problems: Record<string, string> = {};
  for (const issue of parsed.error.issues) problems[issue.path.join('.') || 'body'] ??= sentenceOf(issue);
  throw invalid('Please correct the marked fields', problems);
};
