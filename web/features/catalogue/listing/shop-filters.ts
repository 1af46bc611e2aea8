import { categories, type ProductCategory } from '#domain/product/events.ts';
import { families, allPerfumes } from '#domain/product/families.ts';
import type { ProductQuery } from '../catalogue-api.ts';
import { count, rupeesText } from '../../../lib/format.ts';

/** The price slider is in rupees. At its maximum there is no upper limit. */
export const PRICE = { min: 0, max: 5000, step: 100 } as const;

export const sortNames = {
  featured: 'Featured',
  price: 'Price, low to high',
  '-price': 'Price, high to low',
  '-rating': 'Best rated',
  newest: 'Newest',
  name: 'Name, A to Z',
} as const;
export type ProductSort = keyof typeof sortNames;
export const sorts = Object.keys(sortNames).filter((key): key is ProductSort => key in sortNames);

export type PriceRange = { readonly min: number; readonly max: number };

/** The filters of a listing are in the URL, so that a listing can be shared and Back works. */
export type ShopFilters = {
  /** The types are in the order of `categories`; an empty list means all. */
  readonly types: readonly ProductCategory[];
  /** Prices are whole rupees within `PRICE`, both ends included. */
  readonly price: PriceRange;
  readonly sort: ProductSort;
  readonly q: string;
};

export const noFilters: ShopFilters = { types: [], price: { min: PRICE.min, max: PRICE.max }, sort: 'featured', q: '' };

export const priceRange = (one: number, other: number): PriceRange => {
  const [low, high] = [one, other].map((price) => Math.min(Math.max(Math.round(price), PRICE.min), PRICE.max)).sort((a, b) => a - b);
  return { min: low ?? PRICE.min, max: high ?? PRICE.max };
};

const parseTypes = (params: URLSearchParams): ProductCategory[] => {
  const asked = new Set(params.getAll('collection').flatMap((value) => value.toLowerCase().split(',')));
  // The server accepts both spellings, so links may contain either.
  if (asked.has('atar')) asked.add('attar');
  return categories.filter((category) => asked.has(category));
};

const parsePrice = (params: URLSearchParams, name: 'minPrice' | 'maxPrice', otherwise: number): number => {
  const text = params.get(name) ?? '';
  return /^\d{1,9}$/.test(text) ? Number(text) : otherwise;
};

/** Parses filters from a URL. `collection` is case-insensitive; unknown values are ignored. */
export const readFilters = (params: URLSearchParams): ShopFilters => ({
  types: parseTypes(params),
  price: priceRange(parsePrice(params, 'minPrice', PRICE.min), parsePrice(params, 'maxPrice', PRICE.max)),
  sort: sorts.find((sort) => sort === params.get('sort')) ?? noFilters.sort,
  q: (params.get('q') ?? '').trim(),
});

const priceParams = ({ min, max }: PriceRange) => ({
  ...(min > PRICE.min && { minPrice: min }),
  ...(max < PRICE.max && { maxPrice: max }),
});

/** Returns the query string of a listing, `?collection=floral,musk&sort=price`, without defaults; '' when nothing is filtered. */
export const formatSearch = ({ types, price, sort, q }: ShopFilters): string => {
  const params = new URLSearchParams();
  if (types.length > 0) params.set('collection', types.join(','));
  for (const [name, value] of Object.entries(priceParams(price))) params.set(name, String(value));
  if (sort !== noFilters.sort) params.set('sort', sort);
  if (q !== '') params.set('q', q);
  const search = params.toString().replaceAll('%2C', ',');
  return search && `?${search}`;
};

export const toQuery = ({ types, price, sort, q }: ShopFilters): ProductQuery => ({
  ...(types.length > 0 && { category: types.join(',') }),
  ...priceParams(price),
  ...(q !== '' && { q }),
  sort,
});

const priceWords = ({ min, max }: PriceRange): string => {
  if (min === PRICE.min) return `Up to ${rupeesText(max)}`;
  return max === PRICE.max ? `From ${rupeesText(min)}` : `${rupeesText(min)} to ${rupeesText(max)}`;
};

const isWholeRange = ({ min, max }: PriceRange): boolean => min === PRICE.min && max === PRICE.max;

export type ActiveFilter = { readonly label: string; readonly without: ShopFilters };

export const activeFilters = (filters: ShopFilters): ActiveFilter[] => {
  const { types, price, sort, q } = filters;
  return [
    ...types.map((type) => ({ label: families[type].name, without: { ...filters, types: types.filter((other) => other !== type) } })),
    ...(isWholeRange(price) ? [] : [{ label: priceWords(price), without: { ...filters, price: noFilters.price } }]),
    ...(q === '' ? [] : [{ label: `“${q}”`, without: { ...filters, q: '' } }]),
    ...(sort === noFilters.sort ? [] : [{ label: sortNames[sort], without: { ...filters, sort: noFilters.sort } }]),
  ];
};

export const familyWords = (types: readonly ProductCategory[]): string | undefined =>
  types.length > 0 ? types.map((type) => families[type].name).join(', ') : undefined;

/** Returns the listing's title, and a line of text when one family or everything is shown. */
export const headingFor = ({ types }: ShopFilters): { readonly title: string; readonly line?: string } => {
  const [first, ...rest] = types;
  if (first === undefined) return { title: allPerfumes.name, line: allPerfumes.line };
  return rest.length === 0 ? { title: families[first].name, line: families[first].line } : { title: familyWords(types) ?? '' };
};

export const emptyHelp = ({ types, price, q }: ShopFilters): string => {
  const place = types.length === 0 ? 'in the house' : types.length === 1 ? 'in this family' : 'in these families';
  const name = q === '' ? '' : ' carries that name';
  const cost = isWholeRange(price) ? '' : `${q === '' ? ' is' : ''} at that price`;
  if (name === '' && cost === '') return 'The shelf is being filled. Look again soon.';
  return `Nothing ${place}${name}${cost}. Take one filter away and look again.`;
};

export const perfumeCount = (number: number): string => count(number, 'perfume');
