import escapeHtml from 'escape-html';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import type { HeroVariant } from '#domain/site/pictures.ts';

import { answersElement, dataElement } from './preloaded-answers.ts';
import type { Page } from './page.ts';
import { absolute } from './structured-data.ts';

const START = '<!--page-->';
const END = '<!--/page-->';
const ROOT = '<div id="root">';
const FOOT = '</body>';
const PICTURE = '/pictures/og.webp';

const meta = (kind: 'name' | 'property', name: string, content: string): string =>
  `<meta ${kind}="${name}" content="${escapeHtml(content)}">`;

/** All pages share this HTML, which is cut where a page's own parts are inserted. */
export type Shell = {
  readonly before: string;
  readonly after: string;
  readonly below: string;
  readonly foot: string;
  /** The heads are stored by page; `every` has those of all pages (web/build/page-heads.ts). */
  readonly heads: Readonly<Record<string, Head>>;
};

/** These tags fetch the picture of the first paint, and the scripts, early. */
type Head = { readonly first: string; readonly scripts: string };

const cut = (text: string, mark: string): readonly [string, string] => {
  const at = text.indexOf(mark);
  if (at < 0) throw new Error(`The page has no ${mark}`);
  return [text.slice(0, at), text.slice(at)];
};

/** Every document tells the browser these facts where this shop differs from others. */
export type ShopFacts = {
  readonly hero?: HeroVariant | undefined;
  /** The value is false where there is no payment gateway. web/features/orders/payment-methods.ts reads it. */
  readonly isPrepaidAvailable?: boolean;
  /** A prepaid order waits so many minutes for its payment. The same file reads it. */
  readonly paymentMinutes?: number | undefined;
};

/** Returns undefined without a build. Throws when the document does not come from the build of `web`. */
export const readShell = async (
  directory: string,
  { hero, isPrepaidAvailable = true, paymentMinutes }: ShopFacts = {},
): Promise<Shell | undefined> => {
  const file = path.join(directory, '.vite/index.html');
  if (!existsSync(file)) return undefined;
  const [before, rest] = cut(await readFile(file, 'utf8'), START);
  const [, tail] = cut(rest, END);
  const [above, drawn] = cut(tail.slice(END.length), ROOT);
  const [below, foot] = cut(drawn.slice(ROOT.length), FOOT);
  const headsFile = path.join(directory, '.vite/page-heads.json');
  const heads: Shell['heads'] = existsSync(headsFile) ? JSON.parse(await readFile(headsFile, 'utf8')) : {};
  const facts = [
    hero === undefined ? '' : meta('name', 'hero', hero),
    isPrepaidAvailable ? '' : meta('name', 'prepaid', 'unavailable'),
    paymentMinutes === undefined ? '' : meta('name', 'payment-minutes', String(paymentMinutes)),
  ];
  const home = hero && heads[`home-${hero}`];
  return { before: before + facts.join(''), after: above + ROOT, below, foot, heads: { ...heads, ...(home && { home }) } };
};

/**
 * A page rendered on the server is painted before its scripts are fetched: its first script (web/start) takes them out of this template.
 */
const forLater = (scripts: string): string => `<template id="scripts">${scripts}</template>`;

const shared = ({ title, description, image = PICTURE, canonical, name }: Page, url: string): string[] => [
  meta('property', 'og:site_name', 'RUHANI'),
  meta('property', 'og:type', name === 'product' ? 'product' : 'website'),
  meta('property', 'og:title', title),
  meta('property', 'og:description', description),
  meta('property', 'og:url', url + (canonical ?? '/')),
  meta('property', 'og:image', absolute(url, image)),
  meta('name', 'twitter:card', 'summary_large_image'),
];

/** `screen` is the HTML rendered on the server. */
export const render = ({ before, after, below, foot, heads }: Shell, page: Page, url: string, screen = ''): string => {
  const { title, description, canonical, name, calls = false, preloads = [], data = [], answers } = page;
  const needs = ['every', name, calls ? 'calls' : undefined].flatMap((each) => (each === undefined ? [] : (heads[each] ?? [])));
  const scripts = needs.map((each) => each.scripts).join('');
  const known =
    canonical === undefined ? [meta('name', 'robots', 'noindex')] : [`<link rel="canonical" href="${escapeHtml(url + canonical)}">`];
  const head = [
    `<title>${escapeHtml(title)}</title>`,
    meta('name', 'description', description),
    ...known,
    ...(canonical === undefined ? [] : shared(page, url)),
    ...preloads,
    ...needs.map(({ first }) => first),
    screen === '' ? scripts : '',
    ...data.map((each) => dataElement('application/ld+json', JSON.stringify(each))),
  ];
  const tail = [answers === undefined ? '' : answersElement(answers), screen === '' ? '' : forLater(scripts)];
  return before + head.join('') + after + screen + below + tail.join('') + foot;
};
