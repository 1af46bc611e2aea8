import { nameOf, type FirstCall } from '#domain/first-calls.ts';

/** As it stands in the store: plain data, the server's sentence already found. `status` is undefined when no answer came. */
export type CallError = { readonly status: number | undefined; readonly message: string };

/** What a listing says beside its rows: how many there are in all, and where the next ones are. */
export type CallMeta = { readonly totalCount: number | undefined; readonly link: string | undefined };

/** As an API call would have been answered. */
export type FirstAnswer = { readonly data: unknown; readonly meta: CallMeta } | { readonly error: CallError };

/** Answers by the names of their calls. Each is given once: who asks again wants to know what is true now. */
export class FirstAnswers {
  readonly #answers: Map<string, FirstAnswer>;

  constructor(answers: Readonly<Record<string, FirstAnswer>>) {
    this.#answers = new Map(Object.entries(answers));
  }

  take(call: FirstCall): FirstAnswer | undefined {
    const name = nameOf(call);
    const answer = this.#answers.get(name);
    this.#answers.delete(name);
    return answer;
  }
}

/** As long as any answer is kept that nobody uses (specification, section 7); in milliseconds since the page was opened. */
const MAX_AGE_MS = 60_000;

/** What the server sent along with the page, by the name of the call; nothing in a page that came without. */
const readFromPage = (): Record<string, FirstAnswer> => JSON.parse(document.getElementById('first-answers')?.textContent ?? '{}');

let pageAnswers: FirstAnswers | undefined;

/** The answer that came with the page. */
export const takeFirstAnswer = (call: FirstCall): FirstAnswer | undefined => {
  pageAnswers ??= new FirstAnswers(readFromPage());
  const answer = pageAnswers.take(call);
  return performance.now() < MAX_AGE_MS ? answer : undefined;
};
