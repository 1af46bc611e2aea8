/** What one smells first, then, and last: `{ name: 'Top', notes: 'Saffron, nutmeg' }`. */
export type ScentNote = { readonly name: string; readonly notes: string };

const NOTE = /^(Top|Heart|Base):\s*(.+)$/;

const noteIn = (part: string): ScentNote | undefined => {
  const [, name, notes] = NOTE.exec(part.trim()) ?? [];
  if (name === undefined || notes === undefined) return undefined;
  return { name, notes: notes.charAt(0).toUpperCase() + notes.slice(1) };
};

const notesIn = (line: string): ScentNote[] => {
  const notes = line.startsWith('Top:') ? line.split('·').map(noteIn) : [];
  const read = notes.filter((note) => note !== undefined);
  // A line that is only half understood is shown as it was written.
  return read.length === notes.length ? read : [];
};

/** Takes the line of notes (`Top: … · Heart: … · Base: …`) out of a product's details; without one, `notes` is empty. */
export const splitDetails = (details: readonly string[]): { readonly notes: readonly ScentNote[]; readonly lines: readonly string[] } => {
  const line = details.find((detail) => notesIn(detail).length > 0);
  return line === undefined ? { notes: [], lines: details } : { notes: notesIn(line), lines: details.filter((detail) => detail !== line) };
};
