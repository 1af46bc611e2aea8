import { callKey, type FirstCall } from '#domain/site/pages.ts';
import type { CallError } from './api.ts';

/** Headers of a listing: the total count and the link to the next page. */
export type CallMeta = { readonly totalCount: number | undefined; readonly link: string | undefined };

/** The answer to one of the page's first calls, which the server sends inside the document. */
export type FirstAnswer = { readonly data: unknown; readonly meta: CallMeta } | { readonly error: CallError };

/** Answers by the name of their call. Each is used once: a second query must ask the server. */
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

/** In ms since the page was opened. The same as the cache's, so that Back does not show an outdated answer. */
const MAX_AGE_MS = 60_000;

/** Reads the JSON that the server put into the document, if any. */
const readFromPage = (): Record<string, FirstAnswer> => JSON.parse(document.getElementById('first-answers')?.textContent ?? '{}');

let pageAnswers: FirstAnswers | undefined;
let isHydrating = false;

/** Until the end of the hydration, answers are used however old they are: the page was rendered from them. */
export const beginHydration = (): void => void (isHydrating = true);

/** Returns whether what the page was rendered from is too old to be kept. */
export const endHydration = (): boolean => {
  isHydrating = false;
  return performance.now() >= MAX_AGE_MS;
};

export const takeFirstAnswer = (call: FirstCall): FirstAnswer | undefined => {
  pageAnswers ??= new FirstAnswers(readFromPage());
  const answer = pageAnswers.take(call);
  return isHydrating || performance.now() < MAX_AGE_MS ? answer : undefined;
};
