/** A list as it stands in one field of the form. */
export const joinedList = (entries: readonly string[]): string => entries.join(', ');

const partsOf = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

const beginsWith = (parts: readonly string[], from: number, wanted: readonly string[]): boolean =>
  wanted.every((part, index) => parts[from + index] === part);

/**
 * The entries of a field: split on commas, trimmed, empties dropped (specification, section 5). Entries of `before` that have a comma of
 * their own ("Top: saffron, nutmeg") stay whole wherever they still stand in the text: else opening and saving a product would cut them.
 */
export const splitList = (text: string, before: readonly string[] = []): string[] => {
  const whole = before.map((entry) => ({ entry, parts: partsOf(entry) })).filter(({ parts }) => parts.length > 1);
  const parts = partsOf(text);
  const entries: string[] = [];
  for (let at = 0; at < parts.length;) {
    const kept = whole.find((each) => beginsWith(parts, at, each.parts));
    entries.push(kept?.entry ?? parts[at] ?? '');
    at += kept?.parts.length ?? 1;
  }
  return entries;
};
