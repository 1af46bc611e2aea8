import type { Progress } from './progress.ts';
import { Weighed } from './weighed.ts';

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

/**
 * Answers of a read model, each worked out once and kept until the model moves or others push it out. Whoever asks after a move is never
 * given what was asked for before it, so an answer is exactly as fresh as the database's own.
 */
export const remembered = <Question, Answer>(
  ask: (question: Question) => Promise<Answer>,
  { model, progress, keyOf, weightOf }: RememberedOptions<Question, Answer>,
): Remembered<Question, Answer> => {
  const known = new Weighed<Promise<Answer>>(MEMORY);
  const stop = progress.onAdvance(model, () => known.clear());

  return {
    ask: (question) => {
      const key = keyOf(question);
      const before = known.get(key);
      if (before) return before;
      const asked = ask(question);
      // What it takes is known when it is there, if it is still wanted then.
      known.set(key, asked, 0);
      const isKept = (): boolean => known.get(key) === asked;
      asked.then(
        (answer) => isKept() && known.set(key, asked, ENTRY + weightOf(answer)),
        () => isKept() && known.delete(key),
      );
      return asked;
    },
    close: stop,
  };
};
