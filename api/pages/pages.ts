import { isPage, pages } from '#domain/pages.ts';
import type { Listing } from '#projections/catalogue/listing.ts';

import type { Draw } from './drawing.ts';
import { cartPage, checkoutPage, homePage, productPage, shopPage } from './catalogue-pages.ts';
import { Packed } from './packed.ts';
import { still, type Page } from './page.ts';
import { render, type Shell } from './shell.ts';
import { robots, sitemap } from './sitemap.ts';

type Catalogue = Pick<Listing, 'page' | 'get' | 'edition'>;

export type Document = { readonly status: 200 | 404; readonly type: 'html' | 'xml' | 'txt'; readonly content: Packed };

/** Pages that are kept ready: the most asked for are among them, and a stranger who asks for a million others only costs them their place. */
const MOST = 500;

/** Whether a page begins with what is the shopper's own. */
export const isOwn = (path: string): boolean => path === pages.cart || path === pages.checkout;

const PRODUCT = /^\/product\/([^/]+)$/;

const idIn = (path: string): string | undefined => {
  try {
    return decodeURIComponent(PRODUCT.exec(path)?.[1] ?? '') || undefined;
  } catch {
    // Not a text at all, hence no product's id.
    return undefined;
  }
};

/** The documents of the shop by their addresses; made once for each edition of the catalogue, then sent as they are. */
export class Documents {
  readonly #ready = new Map<string, Promise<Document>>();
  #edition = -1;

  /** `url`: scheme, host and port under which shoppers find the shop. */
  constructor(
    readonly shell: Shell,
    readonly catalogue: Catalogue,
    readonly url: string,
    readonly draw: Draw,
  ) {}

  /** `isNewcomer`: the shop has never seen this browser, so there is nothing of its own to show. */
  at(path: string, query: URLSearchParams, isNewcomer: boolean): Promise<Document> {
    if (this.#edition !== this.catalogue.edition) this.#ready.clear();
    this.#edition = this.catalogue.edition;
    const address = path === '/shop' ? `${path}?${query}` : isOwn(path) && !isNewcomer ? `${path} of somebody` : path;
    const known = this.#ready.get(address);
    if (known) return known;
    const document = this.#make(path, query, isNewcomer);
    const [oldest] = this.#ready.keys();
    if (this.#ready.size >= MOST && oldest !== undefined) this.#ready.delete(oldest);
    this.#ready.set(address, document);
    return document;
  }

  async #make(path: string, query: URLSearchParams, isNewcomer: boolean): Promise<Document> {
    if (path === '/sitemap.xml') return { status: 200, type: 'xml', content: new Packed(sitemap(this.catalogue, this.url)) };
    if (path === '/robots.txt') return { status: 200, type: 'txt', content: new Packed(robots(this.url)) };
    const page = this.#page(path, query, isNewcomer);
    const screen = page.drawn === undefined ? '' : await this.draw(page.drawn, JSON.parse(page.answers ?? '{}'));
    return { status: page.status, type: 'html', content: new Packed(render(this.shell, page, this.url, screen)) };
  }

  #page(path: string, query: URLSearchParams, isNewcomer: boolean): Page {
    if (path === '/') return homePage(this.catalogue, this.url);
    if (path === '/shop') return shopPage(this.catalogue, this.url, query);
    if (path === pages.cart) return cartPage(this.catalogue, isNewcomer);
    if (path === pages.checkout) return checkoutPage(isNewcomer);
    if (!PRODUCT.test(path)) return still(path, isPage(path));
    const id = idIn(path);
    return id === undefined ? still(path, false) : productPage(this.catalogue, this.url, id);
  }
}
