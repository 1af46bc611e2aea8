import bidiFactory from 'bidi-js';
import { createRequire } from 'node:module';

import { openFont, type PaperFont } from './shaping.ts';

const opened = new Map<string, PaperFont>();

/** Returns the font. It is read from disk once in each process. */
export const loadFont = (file: string): PaperFont => {
  const font = opened.get(file) ?? openFont(file);
  opened.set(file, font);
  return font;
};

const latin = (family: string, weight: number, style = 'normal'): readonly string[] =>
  ['latin', 'latin-ext'].map((subset) => `${family}/files/${family}-${subset}-${weight}-${style}`);

/** The first font of a face that has a character draws it. */
const faces = {
  text: { weight: 400, fonts: latin('figtree', 400) },
  strong: { weight: 600, fonts: latin('figtree', 600) },
  display: { weight: 400, fonts: latin('eb-garamond', 400) },
  italic: { weight: 400, fonts: latin('eb-garamond', 400, 'italic') },
} as const satisfies Record<string, { readonly weight: number; readonly fonts: readonly string[] }>;
export type Face = keyof typeof faces;

type FontsOf = (character: string, weight: number) => readonly string[];

const indian: readonly (readonly [letters: RegExp, FontsOf])[] = [
  'Devanagari',
  'Bengali',
  'Tamil',
  'Telugu',
  'Gujarati',
  'Gurmukhi',
  'Kannada',
  'Malayalam',
  'Oriya',
  'Meetei_Mayek',
  'Ol_Chiki',
  'Arabic',
].map((script) => {
  const name = script.toLowerCase().replace('_', '-');
  const fonts = [`noto-sans-${name}/files/noto-sans-${name}-${name}-400-normal`];
  return [new RegExp(`\\p{Script_Extensions=${script}}`, 'u'), () => fonts];
});

const variable =
  (name: string, ...subsets: readonly string[]): FontsOf =>
  (_, weight) =>
    subsets.map((subset) => `${name}/files/${name}-${subset}-wght-normal@${weight}`);

const require = createRequire(import.meta.url);

/** Returns the part of a font that has a character. Fonts of thousands of letters come in a hundred parts, of which few are opened. */
const parted = (name: string): FontsOf => {
  let parts: ReadonlyMap<number, string> | undefined;
  const readParts = () => {
    const ranges = Object.entries(require(`@fontsource-variable/${name}/unicode.json`) as Readonly<Record<string, string>>);
    return new Map(
      ranges.flatMap(([part, list]) =>
        list.split(',').flatMap((range) => {
          const [first = 0, last = first] = range
            .slice(2)
            .split('-')
            .map((hex) => Number.parseInt(hex, 16));
          return Array.from({ length: last - first + 1 }, (_, index) => [first + index, part.replace(/[[\]]/g, '')] as const);
        }),
      ),
    );
  };
  return (character, weight) => {
    parts ??= readParts();
    const part = parts.get(character.codePointAt(0) ?? 0);
    return part === undefined ? [] : variable(name, part)(character, weight);
  };
};

const scripts: readonly (readonly [letters: RegExp, FontsOf])[] = [
  ...indian,
  [/\p{Script_Extensions=Greek}/u, variable('noto-sans', 'greek', 'greek-ext')],
  [/\p{Script_Extensions=Cyrillic}|№/u, variable('noto-sans', 'cyrillic', 'cyrillic-ext')],
  [/\p{Script=Hebrew}/u, variable('noto-sans-hebrew', 'hebrew')],
  [/\p{Script=Thai}|฿/u, variable('noto-sans-thai', 'thai')],
  [/[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Bopomofo}\uff00-\uff9f]/u, parted('noto-sans-sc')],
  [/\p{scx=Hangul}/u, parted('noto-sans-kr')],
  // After the others, since a mark may be of any script.
  [/[\p{scx=Latin}\p{scx=Common}\p{scx=Inherited}]/u, variable('noto-sans', 'vietnamese', 'latin-ext', 'latin')],
];

/** These characters are in the first font of each face. */
const PLAIN = /^[ -~¡-¬®-±´-¸º-ÿ–—‘’“”•…]*$/;
const IGNORABLE = /\p{Default_Ignorable_Code_Point}/u;
const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Text without marks, joiners or emoji: each code point is one character. */
const UNMARKED = /^[ -~¡-ɏ–—‘’“”•…₹]*$/;

/** Splits a text into what a reader takes for one character: a letter with its marks. */
export const splitCharacters = (text: string): readonly string[] =>
  UNMARKED.test(text) ? Array.from(text) : Array.from(segmenter.segment(text), ({ segment }) => segment);

export type FontRun = { readonly font: string; readonly text: string };

const has = (font: string, character: string): boolean => loadFont(font).hasGlyphForCodePoint(character.codePointAt(0) ?? 0);

/** Letters with marks that no character combines. Figtree and EB Garamond do not place them. */
const MARKED = /[\u0300-\u036f]/;

/** Characters for private use mean nothing outside of their font, so they are left out even if a font has them. */
const PRIVATE = /\p{Co}/u;

/**
 * Draws a character and its marks in the first font that has all of them, else each of them in the first font that has it. A character that
 * no font has is left out, together with its marks.
 */
const createRuns = (character: string, fonts: readonly string[]): readonly FontRun[] => {
  if (PRIVATE.test(character)) return [];
  const parts = Array.from(character);
  const visible = parts.filter((part) => !IGNORABLE.test(part));
  const font = fonts.find((font) => visible.every((part) => has(font, part)));
  if (font !== undefined) return [{ font, text: parts.filter((part) => has(font, part)).join('') }];
  const runs = visible.map((text) => ({ text, font: fonts.find((font) => has(font, text)) }));
  if (runs[0]?.font === undefined) return [];
  return runs.flatMap(({ font, text }) => (font === undefined ? [] : { font, text }));
};

const bidi = bidiFactory();
/** Direction marks are removed, because they would reverse the letters of other scripts too. */
const TURNS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;

type Levelled = FontRun & { readonly level: number };

/**
 * Sorts runs from left to right by Unicode's bidirectional algorithm: beginning with the deepest level, runs of that level or deeper are
 * reversed.
 */
const inReadingOrder = (runs: readonly Levelled[]): readonly Levelled[] => {
  const ordered = [...runs];
  for (let level = Math.max(...runs.map((run) => run.level)); level > 0; level--)
    for (let from = 0; from < ordered.length; from++) {
      let end = from;
      while ((ordered[end]?.level ?? 0) >= level) end++;
      if (end > from) ordered.splice(from, end - from, ...ordered.slice(from, end).reverse());
      from = Math.max(from, end);
    }
  return ordered;
};

/**
 * Splits a line into runs of one font each, from left to right. A character that belongs to several scripts keeps the font of the character
 * before it.
 */
export const splitRuns = (line: string, face: Face): readonly FontRun[] => {
  const { fonts: own, weight } = faces[face];
  const text = line.normalize('NFC').replace(TURNS, '');
  if (PLAIN.test(text)) return text === '' ? [] : [{ font: own[0] ?? '', text }];
  const levels = RIGHT_TO_LEFT.test(text) ? bidi.getEmbeddingLevels(text, 'ltr').levels : undefined;
  const runs: Levelled[] = [];
  let at = 0;
  for (const character of splitCharacters(text)) {
    const last = runs.at(-1);
    const level = levels?.[at] ?? 0;
    at += character.length;
    // In text from right to left, parentheses are mirrored.
    const drawn = level % 2 === 1 ? (bidi.getMirroredCharacter(character) ?? character) : character;
    const ofScript = scripts.flatMap(([letters, fontsOf]) => (letters.test(character) ? fontsOf(character, weight) : []));
    for (const next of createRuns(
      drawn,
      MARKED.test(drawn) ? [...ofScript, ...own] : [...own, ...(last ? [last.font] : []), ...ofScript],
    )) {
      const before = runs.at(-1);
      // Shaping reverses letters of one run; characters without a direction are reversed as separate runs.
      const isJoined = before?.font === next.font && before.level === level && (level % 2 === 0 || RIGHT_TO_LEFT.test(character));
      if (isJoined) runs[runs.length - 1] = { ...before, text: before.text + next.text };
      else if (next.text !== '') runs.push({ ...next, level });
    }
  }
  return levels ? inReadingOrder(runs) : runs;
};
