import { callKey, type FirstCall } from '#domain/site/pages.ts';
import type { CallError } from './api.ts';

/** The headers of a listing give the total count and the link to the next page. */
export type CallMeta = { readonly totalCount: number | undefined; readonly link: string | undefined };

/** An answer to one of the page's first calls, which the server sends inside the document. */
export type FirstAnswer = { readonly data: unknown; readonly meta: CallMeta } | { readonly error: CallError };

/** Answers are stored by the name of their call. Each is used once, so that a second query asks the server. */
export class FirstAnswers {
  readonly #answers: Map<string, FirstAnswer>;

  constructor(answers: Readonly<Record<string, FirstAnswer>>) {
    this.#answers = new Map(Object.entries(answers));
  }

  take(call: FirstCall): FirstAnswer | undefined {
    const name = callKey(call);
    const answer = this.#answers.get(name);
    this.#answers.delete(name);
    return answer;
  }
}

/** Answers older than this many ms since the page was opened are not used. The cache keeps answers for the same time. */
const MAX_AGE_MS = 60_000;

const readFromPage = (): Record<string, FirstAnswer> => JSON.parse(document.getElementById('first-answers')?.textContent ?? '{}');

let pageAnswers: FirstAnswers | undefined;
let isHydrating = false;

/** Until hydration ends, answers are used whatever their age, because the page was rendered from them. */
export const beginHydration = (): void => void (isHydrating = true);

/** Ends hydration and returns whether the answers that the page was rendered from are too old to be kept. */
export const endHydration = (): boolean => {
  isHydrating = false;
  return performance.now() >= MAX_AGE_MS;
};

export const takeFirstAnswer = (call: FirstCall): FirstAnswer | undefined => {
  pageAnswers ??= new FirstAnswers(readFromPage());
  const answer = pageAnswers.take(call);
  return isHydrating || performance.now() < MAX_AGE_MS ? answer : undefined;
};
