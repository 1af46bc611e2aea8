import type { AnyRow } from './changes.ts';
import { RowWithoutValues } from './failures.ts';
import type { ColumnKind } from './projector.ts';

export type CopiedColumn = { readonly name: string; readonly kind: ColumnKind };

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };
const SPECIAL = /[\\\t\n\r]/g;
const escaped = (text: string): string => text.replace(SPECIAL, (character) => ESCAPES[character] ?? character);

/** A value in the text format of COPY. Moments, days and numbers hold nothing that is special to it, and of JSON text it is backslashes. */
const copied = (value: unknown, kind: ColumnKind): string => {
  if (value === null || value === undefined) return '\\N';
  const text = String(value);
  if (kind === 'text') return escaped(text);
  return kind === 'json' && text.includes('\\') ? escaped(text) : text;
};

const FIRST_SIZE = 1 << 16;
const TAB = 9;
const LINE_END = 10;

/** Rows as the lines of a COPY, outside of the engine's heap: however many wait to be written, it has none of them to look after. */
export class CopyLines {
  #bytes = Buffer.allocUnsafeSlow(FIRST_SIZE);
  #length = 0;

  constructor(
    readonly table: string,
    readonly columns: readonly CopiedColumn[],
  ) {}

  /** How many bytes they take; also the place of the next one. */
  get length(): number {
    return this.#length;
  }

  /** Answers with the place of the line. Throws `RowWithoutValues`, and then there is none. */
  append(row: AnyRow): number {
    const place = this.#length;
    try {
      for (const { name, kind } of this.columns) this.#write(copied(row[name], kind));
    } catch (error) {
      this.#length = place;
      throw new RowWithoutValues(this.table, error);
    }
    this.#bytes[this.#length - 1] = LINE_END;
    return place;
  }

  /** Each value by itself: put together first, the long ones would be copied once more. */
  #write(value: string): void {
    // No character of a JavaScript string takes more than three bytes.
    this.#makeRoom(3 * value.length + 1);
    this.#length += this.#bytes.write(value, this.#length);
    this.#bytes[this.#length++] = TAB;
  }

  #makeRoom(bytes: number): void {
    const wanted = this.#length + bytes;
    if (wanted <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(wanted, 2 * this.#bytes.length));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }

  /** Forgets the lines from this place on. */
  cut(place: number): void {
    this.#length = place;
  }

  /** Takes out all but the lines at these places. */
  take(left: readonly number[] = []): Buffer[] {
    const pieces: Buffer[] = [];
    let from = 0;
    for (const place of left.toSorted((one, other) => one - other)) {
      pieces.push(this.#bytes.subarray(from, place));
      from = this.#bytes.indexOf(LINE_END, place) + 1;
    }
    pieces.push(this.#bytes.subarray(from, this.#length));
    // As many are likely to come again: of room that is not needed the system gives none, and what grows is copied.
    this.#bytes = Buffer.allocUnsafeSlow(this.#bytes.length);
    this.#length = 0;
    return pieces.filter((piece) => piece.length > 0);
  }
}

const CHUNK = 1 << 16;

/** Rows in pieces of about 64 kB, each made when it is asked for. */
export function* copyPieces(table: string, columns: readonly CopiedColumn[], rows: readonly AnyRow[]): Generator<Buffer> {
  const lines = new CopyLines(table, columns);
  for (const row of rows) {
    lines.append(row);
    if (lines.length >= CHUNK) yield* lines.take();
  }
  yield* lines.take();
}
