import { create, type Font, type Glyph, type GlyphPosition, type GlyphRun, type Subset } from 'fontkit';
import { LRUCache } from 'lru-cache';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { inflateSync } from 'node:zlib';

const require = createRequire(import.meta.url);

/** The lengths are in bytes: the header, and each entry of the table directory after it. */
const WOFF = { header: 44, entry: 20 };
const SFNT = { header: 12, entry: 16 };

/** Unpacks a WOFF font once, because fontkit would unpack a table again for each glyph. */
const unpacked = (woff: Buffer): Buffer => {
  const count = woff.readUInt16BE(12);
  const head = Buffer.alloc(SFNT.header + SFNT.entry * count);
  woff.copy(head, 0, 4, 8);
  head.writeUInt16BE(count, 4);
  const parts: Buffer[] = [head];
  let end = head.length;
  for (let index = 0; index < count; index++) {
    const from = WOFF.header + WOFF.entry * index;
    const [offset, packed, length] = [woff.readUInt32BE(from + 4), woff.readUInt32BE(from + 8), woff.readUInt32BE(from + 12)];
    const bytes = woff.subarray(offset, offset + packed);
    const entry = SFNT.header + SFNT.entry * index;
    woff.copy(head, entry, from, from + 4);
    woff.copy(head, entry + 4, from + 16, from + 20);
    head.writeUInt32BE(end, entry + 8);
    head.writeUInt32BE(length, entry + 12);
    parts.push(packed < length ? inflateSync(bytes) : bytes, Buffer.alloc(-length & 3));
    end += length + (-length & 3);
  }
  return Buffer.concat(parts);
};

type Woff2 = { readonly calledRun?: boolean; onRuntimeInitialized?: () => void; readonly decompress: (woff2: Buffer) => Uint8Array };
const woff2 = require('wawoff2/build/decompress_binding.js') as Woff2;
if (woff2.calledRun !== true) await new Promise<void>((resolve) => (woff2.onRuntimeInitialized = resolve));

/** OpenType features by fontkit's names: figures of equal width that stand on the baseline. */
const FEATURES = { lnum: true, tnum: true };

/** Matches letters that are drawn as one: a base with its marks, and the consonants that a virama joins to it. */
const SYLLABLE = /.(?:[\p{M}\u200c\u200d]|(?<=[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\uabed][\u200c\u200d]?)\p{L})*/gsu;

type Part = { readonly glyph: number; readonly x: number; readonly y: number };
/** `id` names a glyph in a document: the same glyph with another text has another id. */
type Written = { readonly id: string; readonly advanceWidth: number; readonly codePoints: readonly [number] };

type Shaped = { readonly glyphs: readonly Written[]; readonly positions: readonly GlyphPosition[]; readonly advanceWidth: number };
/** The interface that pdfkit expects of a font. */
export type PaperFont = Omit<Font, 'layout' | 'createSubset'> & {
  readonly layout: (text: string) => Shaped;
  readonly createSubset: () => { readonly includeGlyph: (id: string) => number; readonly encode: () => Uint8Array };
};

const JOINERS = /[\u200c\u200d]/g;

/** Numbers are written from left to right even in scripts that run from right to left. */
const hasLetters = (text: string): boolean => /\p{L}/u.test(text);

/** fontkit fails on joiners in scripts without joining, such as Meetei Mayek, where they have no meaning: there they are removed. */
const layOut = (font: Font, text: string): GlyphRun => {
  const layOutAs = (text: string): GlyphRun => font.layout(text, FEATURES, undefined, undefined, hasLetters(text) ? undefined : 'ltr');
  try {
    return layOutAs(text);
  } catch {
    return layOutAs(text.replace(JOINERS, ''));
  }
};

const joinGlyphIds = ({ glyphs }: GlyphRun): string => glyphs.map(({ id }) => id).join();

/**
 * Splits a text into units that are drawn separately, with the number of glyphs of each. A word whose glyphs do not match its syllables is
 * one unit.
 */
const splitUnits = (font: Font, text: string, run: GlyphRun): readonly (readonly [text: string, glyphs: number])[] => {
  // In a run from right to left, the first glyph is the last letter.
  if (run.direction === 'rtl') {
    const letters = Array.from(text).reverse();
    return letters.length === run.glyphs.length ? letters.map((letter) => [letter, 1]) : [[letters.join(''), run.glyphs.length]];
  }
  const syllables = text.match(SYLLABLE) ?? [];
  // Each letter has one glyph, as nearly always in Latin.
  if (syllables.length === run.glyphs.length && syllables.every(({ length }) => length === 1))
    return syllables.map((letter) => [letter, 1]);
  const alone = syllables.map((syllable) => layOut(font, syllable));
  if (alone.map(joinGlyphIds).join() !== joinGlyphIds(run)) return [[text, run.glyphs.length]];
  return syllables.map((syllable, index) => [syllable, alone[index]?.glyphs.length ?? 0]);
};

const written = (letter: string, advanceWidth: number, drawn: number | readonly Part[]): Written => ({
  id: JSON.stringify([letter, advanceWidth, drawn]),
  advanceWidth,
  codePoints: [letter.codePointAt(0) ?? 0],
});

/** Some PDF readers give marks no width, and others need a width to sort them. */
const MARK = /^\p{Mn}$/u;
const MARK_WIDTH = 50;

/**
 * Draws each syllable as one glyph for its first letter, followed by an invisible glyph for each other letter, which share its width.
 * Indian scripts order and stack their glyphs unlike their letters, so without this PDF readers would not find the words.
 */
const shape = (font: Font, text: string): Shaped => {
  const run = layOut(font, text);
  const glyphs: Written[] = [];
  const positions: GlyphPosition[] = [];
  const add = (glyph: Written, xAdvance: number): void => {
    glyphs.push(glyph);
    positions.push({ xAdvance, yAdvance: 0, xOffset: 0, yOffset: 0 });
  };
  let from = 0;
  for (const [syllable, count] of splitUnits(font, text, run)) {
    const parts: Part[] = [];
    let advance = 0;
    for (const [index, { xOffset, yOffset, xAdvance }] of run.positions.slice(from, from + count).entries()) {
      const glyph = run.glyphs[from + index];
      if (glyph && glyph.path.commands.length > 0) parts.push({ glyph: glyph.id, x: advance + xOffset, y: yOffset });
      advance += xAdvance;
    }
    const [part] = parts;
    const isPlain = count === 1 && part?.x === 0 && part.y === 0;
    const letters = Array.from(syllable);
    const width = isPlain ? (run.glyphs[from]?.advanceWidth ?? 0) : advance;
    const marks = letters.filter((letter, index) => index > 0 && MARK.test(letter)).length;
    const markWidth = Math.min(MARK_WIDTH, Math.floor(width / letters.length));
    const share = Math.round((width - marks * markWidth) / (letters.length - marks));
    for (const [index, letter] of letters.entries()) {
      const drawn = index > 0 ? [] : isPlain ? part.glyph : parts;
      const own = index > 0 && MARK.test(letter) ? markWidth : share;
      const isLast = index + 1 === letters.length;
      add(written(letter, own, drawn), isLast ? advance : own);
      advance -= own;
    }
    from += count;
  }
  return { glyphs, positions, advanceWidth: run.advanceWidth };
};

/** The fields that fontkit's types lack: the glyphs to embed, and the tables being written. */
type TrueTypeSubset = Pick<Subset, 'encode'> & {
  readonly includeGlyph: (glyph: number) => number;
  readonly glyphs: (number | Composed)[];
  readonly glyf: Uint8Array[];
  readonly loca: { readonly offsets: number[] };
  readonly hmtx: { readonly metrics: { readonly advance: number; readonly bearing: number }[] };
  offset: number;
};
type Composed = { readonly parts: readonly Part[]; readonly advance: number };

/** The flags of a composite glyph (OpenType, glyf table) mean that offsets are words, and that more components follow. */
const FLAGS = { offsets: 0x0003, more: 0x0020 };

type Box = readonly [minX: number, minY: number, maxX: number, maxY: number];

/** Returns the bounding box of a glyph's outline in whole font units. It is computed once for each glyph. */
const createBoxes = (font: Font): ((glyph: number) => Box) => {
  const known = new Map<number, Box>();
  return (glyph) => {
    const found = known.get(glyph);
    if (found) return found;
    const { minX, minY, maxX, maxY } = font.getGlyph(glyph).bbox;
    const box = [Math.floor(minX), Math.floor(minY), Math.ceil(maxX), Math.ceil(maxY)] as const;
    known.set(glyph, box);
    return box;
  };
};

/** Encodes an outline without instructions. fontkit fails to encode those of a variable font. */
const encodeOutline = ({ path: { commands }, bbox }: Glyph): Uint8Array => {
  const points: { readonly x: number; readonly y: number; readonly isOnCurve: boolean }[] = [];
  const ends: number[] = [];
  for (const { command, args } of commands) {
    if (command === 'closePath') ends.push(points.length - 1);
    for (let at = 0; at < args.length; at += 2)
      points.push({ x: Math.round(args[at] ?? 0), y: Math.round(args[at + 1] ?? 0), isOnCurve: at + 2 === args.length });
  }
  if (points.length === 0) return new Uint8Array();
  const box = [Math.floor(bbox.minX), Math.floor(bbox.minY), Math.ceil(bbox.maxX), Math.ceil(bbox.maxY)];
  const steps = (side: 'x' | 'y') => points.map((point, index) => point[side] - (points[index - 1]?.[side] ?? 0));
  const words = (values: readonly number[]): Buffer => {
    const bytes = Buffer.alloc(2 * values.length);
    for (const [index, value] of values.entries()) bytes.writeInt16BE(value, 2 * index);
    return bytes;
  };
  const flags = Buffer.from(points.map(({ isOnCurve }) => (isOnCurve ? 1 : 0)));
  const bytes = Buffer.concat([words([ends.length, ...box, ...ends, 0]), flags, words([...steps('x'), ...steps('y')])]);
  return Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3)]);
};

/** Encoded outlines of a font's glyphs, kept because decoding them for each document is a sixth of the work on it. */
type Outlines = Map<number, { readonly bytes: Uint8Array; readonly advance: number; readonly bearing: number }>;

const cutSubset = (font: Font, boxOf: (glyph: number) => Box, outlines: Outlines): ReturnType<PaperFont['createSubset']> => {
  const subset = font.createSubset() as unknown as TrueTypeSubset;
  const addDecoded = Reflect.get(subset, '_addGlyph') as (glyph: number) => number;
  const addBytes = (bytes: Uint8Array, advance: number, bearing: number): void => {
    subset.glyf.push(bytes);
    subset.loca.offsets.push(subset.offset);
    subset.hmtx.metrics.push({ advance, bearing });
    subset.offset += bytes.length;
  };
  const addPlain = (glyph: number): void => {
    const known = outlines.get(glyph);
    if (known) return addBytes(known.bytes, known.advance, known.bearing);
    if (Reflect.get(font, 'variationCoords') !== null) {
      const shape = font.getGlyph(glyph);
      const outline = { bytes: encodeOutline(shape), advance: Math.round(shape.advanceWidth), bearing: Math.floor(shape.bbox.minX) };
      outlines.set(glyph, outline);
      return addBytes(outline.bytes, outline.advance, outline.bearing);
    }
    addDecoded.call(subset, glyph);
    const [bytes, metric] = [subset.glyf.at(-1), subset.hmtx.metrics.at(-1)];
    // A composite outline is not kept, because it contains glyph numbers of its document.
    const isComposed = bytes && bytes.length > 0 && (bytes[0] ?? 0) > 0x7f;
    if (bytes && metric && !isComposed) outlines.set(glyph, { bytes, ...metric });
  };
  const addComposed = ({ parts, advance }: Composed): void => {
    const boxes = parts.map(({ glyph, x, y }) => {
      const [minX, minY, maxX, maxY] = boxOf(glyph);
      return [minX + x, minY + y, maxX + x, maxY + y] as const;
    });
    const least = (side: 0 | 1): number => Math.min(...boxes.map((box) => box[side]));
    const most = (side: 2 | 3): number => Math.max(...boxes.map((box) => box[side]));
    if (boxes.length === 0) return addBytes(new Uint8Array(), advance, 0);
    const bytes = Buffer.alloc(10 + 8 * parts.length);
    for (const [index, value] of [-1, least(0), least(1), most(2), most(3)].entries()) bytes.writeInt16BE(value, 2 * index);
    for (const [index, { glyph, x, y }] of parts.entries()) {
      const at = 10 + 8 * index;
      bytes.writeUInt16BE(FLAGS.offsets | (index + 1 < parts.length ? FLAGS.more : 0), at);
      bytes.writeUInt16BE(subset.includeGlyph(glyph), at + 2);
      bytes.writeInt16BE(x, at + 4);
      bytes.writeInt16BE(y, at + 6);
    }
    addBytes(bytes, advance, least(0));
  };
  Reflect.set(subset, '_addGlyph', (glyph: number | Composed) => (typeof glyph === 'number' ? addPlain(glyph) : addComposed(glyph)));
  const places = new Map<string, number>();
  return {
    includeGlyph: (id) => {
      const known = places.get(id);
      if (known !== undefined) return known;
      const [, advance, drawn] = JSON.parse(id) as [string, number, number | Part[]];
      const place = subset.glyphs.push(typeof drawn === 'number' ? drawn : { parts: drawn, advance }) - 1;
      places.set(id, place);
      return place;
    },
    encode: () => subset.encode(),
  };
};

/** Words that each font remembers: shaping them is two thirds of the work on a tax document. */
const WORDS = 2_000;

type Positioner = { applyAnchor: (mark: unknown, base: unknown, at: number) => void };

/** fontkit fails where a font has no anchor for a mark on a letter: then the mark stays where its glyph puts it. */
const allowMissingAnchors = (font: Font): void => {
  const { engine } = Reflect.get(font, '_layoutEngine') as { readonly engine?: { readonly GPOSProcessor: Positioner | null } };
  const positioner = engine?.GPOSProcessor;
  if (!positioner) return;
  const apply = positioner.applyAnchor.bind(positioner);
  positioner.applyAnchor = (mark, base, at) => {
    if (base !== null) apply(mark, base, at);
  };
};

/** A name such as `noto-sans/files/noto-sans-greek-wght-normal@600` is a variable font at a weight. */
const readFont = (name: string): Font => {
  const [file, weight] = name.split('@');
  if (weight === undefined) return create(unpacked(readFileSync(require.resolve(`@fontsource/${file}.woff`)))) as Font;
  const bytes = woff2.decompress(readFileSync(require.resolve(`@fontsource-variable/${file}.woff2`)));
  return (create(Buffer.from(bytes)) as Font).getVariation({ wght: Number(weight) });
};

/**
 * Opens a font that all documents share. fontkit stores with each glyph the text for which it was first requested, and shapes by it. All
 * glyphs are requested here in one order; otherwise a document's bytes would depend on earlier documents.
 */
export const openFont = (file: string): PaperFont => {
  const font = readFont(file);
  for (const codePoint of font.characterSet.toSorted((one, other) => one - other)) font.glyphForCodePoint(codePoint);
  for (let id = 0; id < font.numGlyphs; id++) font.getGlyph(id);
  allowMissingAnchors(font);
  // pdfkit scales positions in place to this scale, so fonts of this scale can share them.
  if (font.unitsPerEm !== 1_000) throw new Error(`${file} has another scale than pdfkit`);
  const words = new LRUCache<string, Shaped>({ max: WORDS });
  const layout = (text: string): Shaped => {
    const shaped = words.get(text) ?? shape(font, text);
    words.set(text, shaped);
    return shaped;
  };
  const getBox = createBoxes(font);
  const outlines: Outlines = new Map();
  return Object.create(font, {
    layout: { value: layout },
    createSubset: { value: () => cutSubset(font, getBox, outlines) },
    // pdfkit takes fonts of one name and file for the same font, and a variable font has one name at all weights.
    postscriptName: { value: file.includes('@') ? `${font.postscriptName}-${file.split('@')[1]}` : font.postscriptName },
  }) as PaperFont;
};
