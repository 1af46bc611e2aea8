import { parse as parseQuery } from 'node:querystring';

import { LRUCache } from 'lru-cache';

import type { Listing } from '#projections/catalogue/listing.ts';
import type { Wire } from '#projections/wire.ts';

import type { Headers } from '../http/headers.ts';
import { questionFrom } from './listing-input.ts';

/** An answer to a listing's URL: with the headers that only a listing has, and the products of which its body is `arrayOf`. */
export type ListingAnswer = { readonly products: readonly Wire[]; readonly etag: string; readonly headers: Headers };

/** How much is remembered: bytes of all answers together, and characters of a query string. */
const MEMORY = 5 * 2 ** 20;
const LONGEST_QUERY = 512;

export const LISTING = '/api/product';

/** The `Link` header to the page that begins at the cursor, of the same question. */
export const linkTo = (querystring: string, cursor: string): string => {
  const parameters = new URLSearchParams(querystring);
  parameters.set('cursor', cursor);
  return `<${LISTING}?${parameters}>; rel="next"`;
};

/**
 * Answers of the listing by query string. Shoppers ask for the same few pages over and over: the answer to one stays until any product
 * changes, or others have pushed it out. What is remembered is which products, not their texts: twenty pages take what one would as text.
 */
export class ListingAnswers {
  readonly #answers: LRUCache<string, ListingAnswer>;
  #edition = -1;

  constructor(
    readonly catalogue: Pick<Listing, 'page' | 'edition'>,
    memory = MEMORY,
  ) {
    this.#answers = new LRUCache({ maxSize: memory });
  }

  /** Throws what `questionFrom` throws. */
  to(querystring: string): ListingAnswer {
    if (this.#edition !== this.catalogue.edition) this.#forget();
    return this.#answers.get(querystring) ?? this.#answer(querystring);
  }

  #answer(querystring: string): ListingAnswer {
    const { products, etag, total, next } = this.catalogue.page(questionFrom(parseQuery(querystring)));
    const link = next === undefined ? [] : ['Link', linkTo(querystring, next)];
    const answer = { products, etag, headers: ['X-Total-Count', String(total), ...link] };
    if (querystring.length <= LONGEST_QUERY) this.#answers.set(querystring, answer, { size: weight(querystring, answer) });
    return answer;
  }

  #forget(): void {
    this.#answers.clear();
    this.#edition = this.catalogue.edition;
  }
}

/** What an entry takes beside its texts: generous, so that a million empty answers stay within bounds too. */
const ENTRY = 512;
const POINTER = 8;
const weight = (querystring: string, { products }: ListingAnswer): number => ENTRY + 2 * querystring.length + POINTER * products.length;
