import { callKey, type FirstCall } from '#domain/site/pages.ts';
import type { ProductJson } from '#projections/catalogue/indexed-product.ts';
import type { Listing } from '#projections/catalogue/listing.ts';
import { jsonArray, decodeJson } from '#projections/reading/encoded-json.ts';

import { parseListingQuery } from '../catalogue/listing-input.ts';
import { linkTo } from '../catalogue/listing-answers.ts';

/** Makes a script element with JSON, escaped so that it cannot end the element. It is data, which the content security policy allows. */
export const dataElement = (type: 'application/json' | 'application/ld+json', json: string, id?: string): string =>
  `<script type="${type}"${id === undefined ? '' : ` id="${id}"`}>${json.replaceAll('<', String.raw`\u003c`)}</script>`;

type Entry = string;

const entry = (call: FirstCall, answer: string): Entry => `${JSON.stringify(callKey(call))}:${answer}`;

/** Returns the parameters as they are in a URL. */
export const inUrl = (call: FirstCall): Record<string, string> =>
  Object.fromEntries(Object.entries(call.params).map(([name, value]) => [name, String(value)]));

/** The entry contains the values of the response's headers. */
export const listingEntry = (catalogue: Pick<Listing, 'page'>, call: FirstCall): Entry => {
  const query = inUrl(call);
  const { products, total, next } = catalogue.page(parseListingQuery(query));
  const link = next === undefined ? undefined : linkTo(new URLSearchParams(query).toString(), next);
  return entry(call, `{"data":${decodeJson(jsonArray(products))},"meta":${JSON.stringify({ totalCount: total, link })}}`);
};

export const productEntry = (call: FirstCall, { json }: ProductJson): Entry => entry(call, `{"data":${decodeJson(json)},"meta":{}}`);

export const missingEntry = (call: FirstCall): Entry =>
  entry(call, JSON.stringify({ error: { status: 404, message: 'Product not found' } }));

export const firstAnswers = (entries: readonly Entry[]): string => `{${entries.join(',')}}`;

/** The browser looks for an answer in this element before it makes a call. */
export const answersElement = (answers: string): string => dataElement('application/json', answers, 'first-answers');
