import { parse as parseQuery } from 'node:querystring';

import { LRUCache } from 'lru-cache';

import type { Listing } from '#projections/catalogue/listing.ts';
import type { EncodedJson } from '#projections/reading/encoded-json.ts';

import type { Headers } from '../http/headers.ts';
import { parseListingQuery } from './listing-input.ts';

/** A response has the headers that only a listing has, and the products of its body (`jsonArray`). */
export type ListingAnswer = { readonly products: readonly EncodedJson[]; readonly etag: string; readonly headers: Headers };

/** `MEMORY` limits the bytes of all responses, `LONGEST_QUERY` the characters of a query string. */
const MEMORY = 5 * 2 ** 20;
const LONGEST_QUERY = 512;

export const LISTING = '/api/product';

export const linkTo = (querystring: string, cursor: string): string => {
  const parameters = new URLSearchParams(querystring);
  parameters.set('cursor', cursor);
  return `<${LISTING}?${parameters}>; rel="next"`;
};

/**
 * Caches responses by query string, because shoppers request the same few pages again and again. A response is kept until any product
 * changes or others evict it. It refers to products instead of their texts: twenty pages take as much memory as one would as text.
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

  /** Returns the response. Throws what `parseListingQuery` throws. */
  to(querystring: string): ListingAnswer {
    if (this.#edition !== this.catalogue.edition) this.#forget();
    return this.#answers.get(querystring) ?? this.#answer(querystring);
  }

  #answer(querystring: string): ListingAnswer {
    const { products, etag, total, next } = this.catalogue.page(parseListingQuery(parseQuery(querystring)));
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

/** An entry has this overhead besides its texts. It is large enough that a million empty responses stay within bounds. */
const ENTRY = 512;
const POINTER = 8;
const weight = (querystring: string, { products }: ListingAnswer): number => ENTRY + 2 * querystring.length + POINTER * products.length;
