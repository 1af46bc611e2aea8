import { families } from '#domain/product/families.ts';
import type { ProductView } from '#domain/product/view.ts';
import { parsePrice, rupees } from '#domain/shared/money.ts';

/** Search engines read these data: https://schema.org, as JSON-LD. */
export type StructuredData = Readonly<Record<string, unknown>>;

const CONTEXT = { '@context': 'https://schema.org' };

export const organization = (url: string): StructuredData => ({
  ...CONTEXT,
  '@type': 'Organization',
  name: 'RUHANI',
  url: `${url}/`,
  logo: `${url}/logo.svg`,
});

export type Crumb = { readonly name: string; readonly path: string };

/** The home page is added. */
export const breadcrumbs = (url: string, crumbs: readonly Crumb[]): StructuredData => ({
  ...CONTEXT,
  '@type': 'BreadcrumbList',
  itemListElement: [{ name: 'Home', path: '/' }, ...crumbs].map(({ name, path }, index) => ({
    '@type': 'ListItem',
    position: index + 1,
    name,
    item: url + path,
  })),
});

/** Pictures on other hosts have a full URL already. */
export const absolute = (url: string, address: string): string => (address.startsWith('/') ? url + address : address);

const describeOffer = (address: string, { price, inStock }: ProductView): StructuredData => ({
  '@type': 'Offer',
  url: address,
  priceCurrency: 'INR',
  price: rupees(parsePrice(price)).toFixed(2),
  availability: `https://schema.org/${inStock ? 'InStock' : 'OutOfStock'}`,
});

const describeRating = ({ average, ratingStar, reviewsCount }: ProductView): StructuredData => ({
  '@type': 'AggregateRating',
  ratingValue: average ?? ratingStar,
  reviewCount: reviewsCount,
});

/** Leaves out what the product does not have: without a price there is no offer, without reviews no rating. */
export const productData = (url: string, path: string, product: ProductView): StructuredData => ({
  ...CONTEXT,
  '@type': 'Product',
  name: product.name,
  description: product.description || product.details || undefined,
  sku: product._id,
  category: product.category === '' ? undefined : families[product.category].name,
  brand: { '@type': 'Brand', name: 'RUHANI' },
  image: product.productImageUrl.length > 0 ? product.productImageUrl.map((address) => absolute(url, address)) : undefined,
  offers: product.price === '' ? undefined : describeOffer(url + path, product),
  aggregateRating: product.reviewsCount > 0 && product.ratingStar > 0 ? describeRating(product) : undefined,
});
