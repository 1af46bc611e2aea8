import type { z } from 'zod';

import { invalid } from './refusal.ts';

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
