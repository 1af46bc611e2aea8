import bidiFactory from 'bidi-js';

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
  text: latin('figtree', 400),
  strong: latin('figtree', 600),
  display: latin('eb-garamond', 400),
  italic: latin('eb-garamond', 400, 'italic'),
} as const satisfies Record<string, readonly string[]>;
export type Face = keyof typeof faces;

const scripts = [
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
  return {
    letters: new RegExp(`\\p{Script_Extensions=${script}}`, 'u'),
    file: `noto-sans-${name}/files/noto-sans-${name}-${name}-400-normal`,
  };
});

/** The replacement is drawn instead of a character that no font has. */
const REPLACEMENT = { text: '\ufffd', font: latin('eb-garamond', 400)[0] ?? '' };

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

/** Draws a character and its marks in the first font that has all of them. Invisible code points that the font lacks are left out. */
const createRun = (character: string, fonts: readonly string[]): FontRun => {
  const visible = Array.from(character).filter((part) => !IGNORABLE.test(part));
  const font = fonts.find((font) => visible.every((part) => has(font, part)));
  if (font === undefined) return REPLACEMENT;
  return {
    font,
    text: Array.from(character)
      .filter((part) => has(font, part))
      .join(''),
  };
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
  const own = faces[face];
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
    const ofScript = scripts.filter(({ letters }) => letters.test(character)).map(({ file }) => file);
    const next = createRun(drawn, [...own, ...(last ? [last.font] : []), ...ofScript]);
    // Shaping reverses letters of one run; characters without a direction are reversed as separate runs.
    const isJoined = last?.font === next.font && last.level === level && (level % 2 === 0 || RIGHT_TO_LEFT.test(character));
    if (isJoined) runs[runs.length - 1] = { ...last, text: last.text + next.text };
    else if (next.text !== '') runs.push({ ...next, level });
  }
  return levels ? inReadingOrder(runs) : runs;
};
