export const scentLevels = ['Top', 'Heart', 'Base'] as const;
export type ScentLevel = (typeof scentLevels)[number];

/** The notes that are smelled at one level: `{ level: 'Top', notes: 'saffron, nutmeg' }`. */
export type ScentNotes = { readonly level: ScentLevel; readonly notes: string };

const LEVEL = /^(Top|Heart|Base):\s*(.+)$/;

const parseLevel = (part: string): ScentNotes | undefined => {
  const [, name, notes] = LEVEL.exec(part.trim()) ?? [];
  const level = scentLevels.find((each) => each === name);
  return level && notes !== undefined ? { level, notes } : undefined;
};

/** A line that cannot be read completely, or names a level twice, has no notes. */
const parseLine = (line: string): readonly ScentNotes[] => {
  const parts = line.split('·').map(parseLevel);
  const read = parts.filter((part) => part !== undefined);
  return read.length === parts.length && new Set(read.map(({ level }) => level)).size === parts.length ? read : [];
};

/**
 * Separates the line of notes (`Top: … · Heart: … · Base: …`, which may lack a level) from the other details of a product. `at` is the place
 * of that line; without it `notes` is empty and `at` is behind the last detail.
 */
export const splitDetails = (details: readonly string[]) => {
  const found = details.findIndex((detail) => parseLine(detail).length > 0);
  const at = found === -1 ? details.length : found;
  return { notes: parseLine(details[at] ?? ''), lines: details.filter((_, index) => index !== at), at };
};

/** Returns the line of these notes; empty when there are none. */
export const formatScentNotes = (notes: Readonly<Record<ScentLevel, string>>): string =>
  scentLevels
    .map((level) => [level, notes[level].trim().replaceAll(/\s*·\s*/g, ', ')] as const)
    .filter(([, text]) => text !== '')
    .map(([level, text]) => `${level}: ${text}`)
    .join(' · ');

/** Tells whether a detail looks like notes, which then should stand with the others. */
export const looksLikeNotes = (detail: string): boolean => LEVEL.test(detail);
