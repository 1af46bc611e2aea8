import { families, type Family, folded } from './item.ts';
import { Scores, Seen } from './roster.ts';

/** A word, and the numbers of the products that have it in their names. */
type Word = { readonly text: string; readonly numbers: number[]; readonly trigrams: ReadonlySet<string> };

/** How alike two words must at least be: `sandlewood` and `sandal` are 0.29. */
const ALIKE = 0.25;
/** Of the likeness of the best match: what is less like it than that is left out. */
const NEXT_TO_BEST = 0.75;
/** So few names are looked at sooner than narrowed down further. */
const FEW = 500;

const wordsOf = (text: string): string[] => text.split(' ').filter((word) => word !== '');

/** Every part of a word that is this long. */
const partsOf = (word: string, length: number): string[] =>
  Array.from({ length: Math.max(0, word.length - length + 1) }, (_, index) => word.slice(index, index + length));

/** The trigrams of a word, its beginning and end marked: `  o`, ` ou`, `oud`, `ud ` for `oud`. */
const trigramsOf = (word: string): Set<string> => new Set(partsOf(`  ${word} `, 3));

/** All that a word can be looked up by. */
const keysOf = (word: string): Set<string> => new Set([...partsOf(word, 1), ...partsOf(word, 2), ...trigramsOf(word)]);

const newWord = (text: string): Word => ({ text, numbers: [], trigrams: trigramsOf(text) });

const countOf = (words: readonly Word[]): number => words.reduce((sum, { numbers }) => sum + numbers.length, 0);

/** What both have of what either has. */
const likeness = (shared: number, one: ReadonlySet<string>, other: ReadonlySet<string>): number =>
  shared / (one.size + other.size - shared);

/**
 * Finds products, by the numbers that the caller gave them, by a part of their name, and by likeness when no name has that part. What
 * is indexed is not the names but the words that they are made of, of which there are far fewer; a word is looked up by its trigrams,
 * or by shorter parts.
 */
export class Names {
  readonly #names: string[] = [];
  readonly #words = new Map<string, Word>();
  readonly #byPart = new Map<string, Set<Word>>();
  readonly #families: ReadonlyMap<Family, Word> = new Map(families.map((family) => [family, newWord(family)]));
  readonly #seen = new Seen();
  readonly #scores = new Scores();

  add(number: number, name: string, family: Family): void {
    this.#names[number] = name;
    this.#families.get(family)?.numbers.push(number);
    for (const text of new Set(wordsOf(name))) (this.#words.get(text) ?? this.#learn(newWord(text))).numbers.push(number);
  }

  remove(number: number, family: Family): void {
    const name = this.#names[number] ?? '';
    this.#names[number] = '';
    const without = ({ numbers }: Word) => numbers.splice(numbers.lastIndexOf(number), 1);
    const ofFamily = this.#families.get(family);
    if (ofFamily) without(ofFamily);
    for (const text of new Set(wordsOf(name))) {
      const word = this.#words.get(text);
      if (!word) continue;
      without(word);
      if (word.numbers.length === 0) this.#forget(word);
    }
  }

  #learn(word: Word): Word {
    this.#words.set(word.text, word);
    for (const part of keysOf(word.text)) {
      const words = this.#byPart.get(part);
      if (words) words.add(word);
      else this.#byPart.set(part, new Set([word]));
    }
    return word;
  }

  #forget(word: Word): void {
    this.#words.delete(word.text);
    for (const part of keysOf(word.text)) {
      const words = this.#byPart.get(part);
      words?.delete(word);
      if (words?.size === 0) this.#byPart.delete(part);
    }
  }

  /** The words that contain this text, found by its rarest trigram. */
  #wordsWith(text: string): Word[] {
    let rarest: ReadonlySet<Word> | undefined;
    for (const part of text.length < 3 ? [text] : partsOf(text, 3)) {
      const words = this.#byPart.get(part);
      if (!words) return [];
      if (!rarest || words.size < rarest.size) rarest = words;
    }
    return [...(rarest ?? [])].filter((word) => word.text.includes(text));
  }

  /** Products with any of the words, each once. */
  #having(words: readonly Word[]): readonly number[] {
    const [first, ...others] = words;
    if (others.length === 0) return first?.numbers ?? [];
    this.#seen.clear();
    const numbers: number[] = [];
    for (const word of words) for (const number of word.numbers) if (this.#seen.add(number)) numbers.push(number);
    return numbers;
  }

  /** Products whose (folded) name contains the (folded) text, in no order. */
  containing(text: string): readonly number[] {
    const parts = wordsOf(text);
    // A blank in the text is a blank in the name, so each part lies within one word of it.
    const words = parts.map((part) => this.#wordsWith(part)).sort((one, other) => countOf(one) - countOf(other));
    const [fewest = [], ...others] = words;
    let numbers = this.#having(fewest);
    if (parts.length === 1) return numbers;
    for (const more of others) {
      if (numbers.length <= FEW) break;
      this.#seen.clear();
      for (const word of more) for (const number of word.numbers) this.#seen.add(number);
      numbers = numbers.filter((number) => this.#seen.has(number));
    }
    return numbers.filter((number) => this.#names[number]?.includes(text));
  }

  /** Words, and families, like this one, the most alike first. */
  #wordsLike(text: string): [Word, number][] {
    const trigrams = trigramsOf(text);
    const shared = new Map<Word, number>();
    for (const trigram of trigrams) {
      for (const word of this.#byPart.get(trigram) ?? []) shared.set(word, (shared.get(word) ?? 0) + 1);
    }
    for (const word of this.#families.values()) {
      shared.set(word, [...trigrams].filter((trigram) => word.trigrams.has(trigram)).length);
    }
    return [...shared]
      .map(([word, count]): [Word, number] => [word, likeness(count, trigrams, word.trigrams)])
      .filter(([, value]) => value >= ALIKE)
      .sort(([, one], [, other]) => other - one);
  }

  /** Products whose name, or family, is most like the text; none when nothing is like it. In no order. */
  like(query: string): readonly number[] {
    this.#scores.clear();
    for (const text of wordsOf(folded(query))) {
      this.#seen.clear();
      // The most alike first, and of the words of a name only that counts.
      for (const [word, value] of this.#wordsLike(text)) {
        for (const number of word.numbers) if (this.#seen.add(number)) this.#scores.add(number, value);
      }
    }
    return this.#scores.best(NEXT_TO_BEST);
  }
}
