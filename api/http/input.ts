import { z } from 'zod';

import { isBlank, withoutInvisible } from '#domain/shared/text.ts';
import { parseDate, type CalendarDate } from '#domain/shared/time.ts';

import { invalid } from './http-error.ts';

const UNREADABLE = 'Please use letters, digits and signs only';

export const typed = z.string('Must be text').overwrite(withoutInvisible);

/** Postgres refuses control characters and unpaired surrogates in JSON. */
export const readableText = typed.regex(/^(?:[\t\n\r]|[^\p{Cc}\p{Cs}])*$/u, UNREADABLE);

const OF_NO_LINE = /[\p{Cc}\p{Cs}\u2028\u2029]/u;
/** URL-encoded line breaks are used to inject mail headers, and no name contains them. */
const SPELLED_BREAK = /%0[ad]/i;

export const typedLine = (max: number) =>
  typed
    .trim()
    .max(max, `Please use at most ${max} characters`)
    .refine((text) => !OF_NO_LINE.test(text) && !SPELLED_BREAK.test(text), UNREADABLE);

/** Parses a text of several lines: they end with a line feed; control characters and unpaired surrogates are removed. */
export const prose = (max: number) =>
  typed
    .overwrite((text) => text.replaceAll(/\r\n?|\u2028|\u2029/g, '\n').replaceAll(/(?![\n\t])\p{Cc}|\p{Cs}/gu, ''))
    .trim()
    .max(max, `Please use at most ${max} characters`);

/** Parses a text with this function, and refuses it with this sentence if the function returns undefined. */
export const textAs = <Value>(read: (given: string) => Value | undefined, sentence: string) =>
  z.string(sentence).transform((given, { addIssue }) => {
    const value = read(given);
    if (value !== undefined) return value;
    addIssue(sentence);
    return z.NEVER;
  });

/** Parses a query parameter that is `true` or `false`. */
export const flagInput = z.enum(['true', 'false'], 'Either true or false').transform((text) => text === 'true');

export const dayInput: z.ZodType<CalendarDate> = textAs(parseDate, 'A day such as 2026-11-14');

export const required = (text: z.ZodString): z.ZodString => text.refine((given) => !isBlank(given), 'Required');

/** The fallback is used where the schema has no message. */
const fallback = (issue: z.core.$ZodRawIssue): string | undefined =>
  issue.code === 'invalid_type' ? `Must be of type ${issue.expected}` : undefined;

const describeIssue = ({ code, input, message }: z.core.$ZodIssue): string =>
  (code === 'invalid_type' || code === 'invalid_value') && (input === undefined || input === null) ? 'Required' : message;

/** Drops unknown keys. Throws a 400 with this message that names each wrong field. */
export const parse = <Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  message = 'Please correct the marked fields',
): z.output<Schema> => {
  const parsed = schema.safeParse(value, { error: fallback, reportInput: true });
  if (parsed.success) return parsed.data;
  const problems: Record<string, string> = {};
  for (const issue of parsed.error.issues) problems[issue.path.join('.') || 'body'] ??= describeIssue(issue);
  throw invalid(message, problems);
};
