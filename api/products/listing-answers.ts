import type { Listing } from '#projections/catalogue/listing.ts';

import { questionFrom } from './listing-input.ts';

/** An answer to a listing's URL, with its headers as they are sent. */
export type ListingAnswer = {
  readonly body: Buffer;
  readonly etag: string;
  readonly total: string;
  /** `Link` to the next page, when there is one. */
  readonly link: string | undefined;
};

/** How much is remembered: bytes of all answers together, and of a query string. */
const MEMORY = 16 * 2 ** 20;
const LONGEST_QUERY = 512;

/** The part of a request that says what is asked for. */
export type Asked = { readonly path: string; readonly querystring: string; readonly query: unknown };

/** The `Link` header to the page that begins at the cursor. */
export const linkTo = ({ path, querystring }: Pick<Asked, 'path' | 'querystring'>, cursor: string): string => {
  const parameters = new URLSearchParams(querystring);
  parameters.set('cursor', cursor);
  return `<${path}?${parameters}>; rel="next"`;
};

/**
 * Answers of the listing by query string. Shoppers ask for the same few pages over and over: the answer to one stays until any product
 * changes, or others have pushed it out, and is sent again as it is.
 */
export class ListingAnswers {
  readonly #answers = new Map<string, ListingAnswer>();
  #bytes = 0;
  #edition = -1;

  constructor(readonly catalogue: Pick<Listing, 'page' | 'edition'>) {}

  /** Throws what `questionFrom` throws. */
  to(asked: Asked): ListingAnswer {
    if (this.#edition !== this.catalogue.edition) this.#forget();
    return this.#answers.get(asked.querystring) ?? this.#answer(asked);
  }

  #answer(asked: Asked): ListingAnswer {
    const { body, etag, total, next } = this.catalogue.page(questionFrom(asked.query));
    const answer = { body, etag, total: String(total), link: next === undefined ? undefined : linkTo(asked, next) };
    if (asked.querystring.length <= LONGEST_QUERY) this.#remember(asked.querystring, answer);
    return answer;
  }

  #remember(querystring: string, answer: ListingAnswer): void {
    this.#answers.set(querystring, answer);
    this.#bytes += weight(querystring, answer);
    // The first of a map is what has been in it for the longest.
    for (const [oldest, { body }] of this.#answers) {
      if (this.#bytes <= MEMORY) break;
      this.#answers.delete(oldest);
      this.#bytes -= weight(oldest, { body });
    }
  }

  #forget(): void {
    this.#answers.clear();
    this.#bytes = 0;
    this.#edition = this.catalogue.edition;
  }
}

/** What an entry takes beside its texts: generous, so that a million empty answers stay within bounds too. */
const ENTRY = 1_024;
const weight = (querystring: string, { body }: Pick<ListingAnswer, 'body'>): number => ENTRY + 2 * querystring.length + body.length;
