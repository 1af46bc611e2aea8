import type { Progress } from './progress.ts';

export type Remembered<Question, Answer> = {
  /** The answer to this question, as the read model stands. */
  ask(question: Question): Promise<Answer>;
  close(): void;
};

export type RememberedOptions<Question, Answer> = {
  readonly model: string;
  readonly progress: Pick<Progress, 'onAdvance'>;
  /** The same for questions that have the same answer. */
  readonly keyOf: (question: Question) => string;
  /** About what an answer takes, in bytes. */
  readonly weightOf: (answer: Answer) => number;
};

/** What all answers together may take, and what each takes beside itself, in bytes. */
const MEMORY = 4 * 2 ** 20;
const ENTRY = 512;

type Known<Answer> = { readonly answer: Promise<Answer>; weight: number };

/**
 * Answers of a read model, each worked out once and kept until the model moves or others push it out. Whoever asks after a move is never
 * given what was asked for before it, so an answer is exactly as fresh as the database's own.
 */
export const remembered = <Question, Answer>(
  ask: (question: Question) => Promise<Answer>,
  { model, progress, keyOf, weightOf }: RememberedOptions<Question, Answer>,
): Remembered<Question, Answer> => {
  const known = new Map<string, Known<Answer>>();
  let weight = 0;

  const forget = (key: string, entry: Known<Answer>): void => {
    if (known.get(key) !== entry) return;
    known.delete(key);
    weight -= entry.weight;
  };
  const weigh = (key: string, entry: Known<Answer>, answer: Answer): void => {
    if (known.get(key) !== entry) return;
    entry.weight = ENTRY + weightOf(answer);
    weight += entry.weight;
    // The first of a map is what has been in it for the longest.
    for (const [oldest, each] of known) {
      if (weight <= MEMORY) break;
      forget(oldest, each);
    }
  };
  const stop = progress.onAdvance(model, () => {
    known.clear();
    weight = 0;
  });

  return {
    ask: (question) => {
      const key = keyOf(question);
      const before = known.get(key);
      if (before) return before.answer;
      const entry = { answer: ask(question), weight: 0 };
      known.set(key, entry);
      entry.answer.then(
        (answer) => weigh(key, entry, answer),
        () => forget(key, entry),
      );
      return entry.answer;
    },
    close: stop,
  };
};
