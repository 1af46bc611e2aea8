import type { Group, Matches, Test } from './product-group.ts';

/** How alike two words must at least be: `sandlewood` and `sandal` are 0.29. */
const ALIKE = 0.25;
/** Share of the highest score that a match must have: what is less like the text is left out. */
const NEXT_TO_BEST = 0.75;

/** A word with its beginning and end marked. */
const marked = (word: string): string => `  ${word} `;

/** The trigrams of a word: `  o`, ` ou`, `oud`, `ud ` for `oud`. */
const trigramsOf = (word: string): ReadonlySet<string> =>
  new Set(Array.from({ length: word.length + 1 }, (_, at) => marked(word).slice(at, at + 3)));

/** How many trigrams both have, of all that either has: from 0 to 1. */
const likeness = (trigrams: ReadonlySet<string>, word: string): number => {
  const text = marked(word);
  let shared = 0;
  for (const trigram of trigrams) if (text.includes(trigram)) shared++;
  return shared / (trigrams.size + word.length + 1 - shared);
};

type Alike = { readonly word: string; readonly value: number };

/** The words that are like this one, the most alike first. */
const wordsLike = (word: string, vocabulary: Iterable<string>): readonly Alike[] => {
  const trigrams = trigramsOf(word);
  return [...vocabulary]
    .map((other) => ({ word: other, value: likeness(trigrams, other) }))
    .filter(({ value }) => value >= ALIKE)
    .sort((one, other) => other.value - one.value);
};

/** Scores of a group's items, by index: for each word of a text how alike the most alike word of the name, or the family, is. */
const scoresIn = (group: Group, text: readonly (readonly Alike[])[]): ReadonlyMap<number, number> => {
  const scores = new Map<number, number>();
  const all = group.in('newest');
  for (const alike of text) {
    const seen = new Set<number>();
    for (const { word, value } of alike) {
      for (const index of word === all[0]?.category ? all.keys() : group.indexesOf(` ${word} `)) {
        if (!seen.has(index)) scores.set(index, (scores.get(index) ?? 0) + value);
        seen.add(index);
      }
    }
  }
  return scores;
};

/** What a text names: the items of each group, and whether one is among them. */
export type Named = { readonly of: (group: Group) => Matches; readonly has: Test };

const NOTHING: Named = { of: () => ({ size: 0, items: () => [] }), has: () => false };

const matchesAt = (group: Group, indexes: readonly number[]): Matches => ({
  size: indexes.length,
  items: () => {
    const items = group.in('newest');
    return indexes.map((index) => items[index]).filter((item) => item !== undefined);
  },
});

/** The items whose names, or families, are most like the text. */
const namesLike = (text: string, groups: readonly Group[]): Named => {
  const vocabulary = new Set(
    groups.flatMap((group) => [
      ...group.words,
      ...group
        .in('newest')
        .slice(0, 1)
        .map(({ category }) => category),
    ]),
  );
  // Shorter words are like too many others.
  const words = text.split(' ').filter(({ length }) => length >= 3);
  const alike = words.map((word) => wordsLike(word, vocabulary));
  const scored = groups.map((group) => ({ group, scores: scoresIn(group, alike) }));
  let best = 0;
  for (const { scores } of scored) for (const score of scores.values()) best = Math.max(best, score);
  const isBest = ([, score]: readonly [number, number]): boolean => score >= NEXT_TO_BEST * best;
  const bestIn = (scores: ReadonlyMap<number, number>): number[] => [...scores].filter(isBest).map(([index]) => index);
  const named = new Map(scored.map(({ group, scores }) => [group, matchesAt(group, bestIn(scores))]));
  const all = new Set([...named.values()].flatMap(({ items }) => items()));
  return { of: (group) => named.get(group) ?? NOTHING.of(group), has: (item) => all.has(item) };
};

/** The items whose names contain the (folded) text; when no name does, those that are most like it. */
export const namesWith = (text: string, groups: readonly Group[]): Named => {
  if (text === '') return NOTHING;
  const named = new Map(groups.map((group) => [group, matchesAt(group, group.indexesOf(text))]));
  if ([...named.values()].every(({ size }) => size === 0)) return namesLike(text, groups);
  return { of: (group) => named.get(group) ?? NOTHING.of(group), has: ({ name }) => name.includes(text) };
};
