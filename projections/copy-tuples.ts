import { mostBytes, writeValue } from './binary-values.ts';
import type { AnyRow } from './changes.ts';
import { RowWithoutValues } from './failures.ts';
import type { ColumnKind } from './projector.ts';

export type CopiedColumn = { readonly name: string; readonly kind: ColumnKind };

/** What a binary COPY begins with: its signature, no flags, no extension; and what it ends with, in place of a further tuple. */
export const COPY_HEAD = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
export const COPY_END = Buffer.from([0xff, 0xff]);

const FIRST_SIZE = 1 << 16;
/** Bytes of the number of fields that a tuple begins with, and of the length before each of them; in its place: null. */
const COUNT = 2;
const LENGTH = 4;
const NULL = -1;

/** Rows as the tuples of a binary COPY, outside of the engine's heap: however many wait to be written, it has none of them to look after. */
export class CopyTuples {
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

  /** Answers with the place of the tuple. Throws `RowWithoutValues`, and then there is none. */
  append(row: AnyRow): number {
    const place = this.#length;
    try {
      this.#makeRoom(COUNT);
      this.#length = this.#bytes.writeInt16BE(this.columns.length, place);
      for (const { name, kind } of this.columns) this.#write(kind, row[name]);
    } catch (error) {
      this.#length = place;
      throw new RowWithoutValues(this.table, error);
    }
    return place;
  }

  #write(kind: ColumnKind, value: unknown): void {
    this.#makeRoom(LENGTH + mostBytes(value));
    const at = this.#length + LENGTH;
    const isNull = value === null || value === undefined;
    const bytes = isNull ? 0 : writeValue(this.#bytes, kind, value, at);
    this.#bytes.writeInt32BE(isNull ? NULL : bytes, this.#length);
    this.#length = at + bytes;
  }

  #makeRoom(bytes: number): void {
    const wanted = this.#length + bytes;
    if (wanted <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(wanted, 2 * this.#bytes.length));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }

  /** Forgets the tuples from this place on. */
  cut(place: number): void {
    this.#length = place;
  }

  #endOf(place: number): number {
    let at = place + COUNT;
    for (const _ of this.columns) at += LENGTH + Math.max(0, this.#bytes.readInt32BE(at));
    return at;
  }

  /** Takes out all but the tuples at these places. */
  take(left: readonly number[] = []): Buffer[] {
    const pieces: Buffer[] = [];
    let from = 0;
    for (const place of left.toSorted((one, other) => one - other)) {
      pieces.push(this.#bytes.subarray(from, place));
      from = this.#endOf(place);
    }
    pieces.push(this.#bytes.subarray(from, this.#length));
    // As many are likely to come again: of room that is not needed the system gives none, and what grows is copied.
    this.#bytes = Buffer.allocUnsafeSlow(this.#bytes.length);
    this.#length = 0;
    return pieces.filter((piece) => piece.length > 0);
  }
}

const CHUNK = 1 << 16;

/** Rows as tuples in pieces of about 64 kB, each made when it is asked for. */
export function* copyPieces(table: string, columns: readonly CopiedColumn[], rows: readonly AnyRow[]): Generator<Buffer> {
  const tuples = new CopyTuples(table, columns);
  for (const row of rows) {
    tuples.append(row);
    if (tuples.length >= CHUNK) yield* tuples.take();
  }
  yield* tuples.take();
}
