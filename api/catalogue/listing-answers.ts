import { parse as parseQuery } from 'node:querystring';

import { LRUCache } from 'lru-cache';

import type { Listing } from '#projections/catalogue/listing.ts';
import type { EncodedJson } from '#projections/reading/encoded-json.ts';

import type { Headers } from '../http/headers.ts';
import { questionFrom } from './listing-input.ts';

/** The headers that only a listing has, and the products of its body (`arrayOf`). */
export type ListingAnswer = { readonly products: readonly EncodedJson[]; readonly etag: string; readonly headers: Headers };

/** Bytes of all answers, and characters of a query string. */
const MEMORY = 5 * 2 ** 20;
const LONGEST_QUERY = 512;

export const LISTING = '/api/product';

/** To the next page of the same query. */
export const linkTo = (querystring: string, cursor: string): string => {
  const parameters = new URLSearchParams(querystring);
  parameters.set('cursor', cursor);
  return `<${LISTING}?${parameters}>; rel="next"`;
};

/**
 * By query string. Shoppers request the same few pages again and again: an answer is cached until any product changes, or others evict it.
 * It refers to products, not their texts: twenty pages take as much as one would as text.
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

/** Beside its texts: generous, so that a million empty answers stay within bounds. */
const ENTRY = 512;
const POINTER = 8;
const weight = (querystring: string, { products }: ListingAnswer): number => ENTRY + 2 * querystring.length + POINTER * products.length;
