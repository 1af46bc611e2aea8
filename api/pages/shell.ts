import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { escapeHtml } from '../escape-html.ts';
import { answersElement } from './first-answers.ts';
import { dataElement, meta } from './html.ts';
import type { Page } from './page.ts';
import { absolute } from './structured-data.ts';

const START = '<!--page-->';
const END = '<!--/page-->';
const ROOT = '<div id="root">';
const FOOT = '</body>';
const PICTURE = '/pictures/og.webp';

/** The one document that all pages are made from: what stands before, after and below what is said of each page. */
export type Shell = {
  readonly before: string;
  readonly after: string;
  /** From the end of the element that the screen is drawn into. */
  readonly below: string;
  readonly foot: string;
  /** What every page needs, by the name `every`, and each by its own (web/build/page-heads.ts). */
  readonly heads: Readonly<Record<string, Head>>;
};

/** Tags that have the browser fetch what a page needs: the picture of its first paint, and its scripts. */
type Head = { readonly first: string; readonly scripts: string };

const cut = (text: string, mark: string): readonly [string, string] => {
  const at = text.indexOf(mark);
  if (at < 0) throw new Error(`The page has no ${mark}`);
  return [text.slice(0, at), text.slice(at)];
};

/** Undefined where there is no build. Throws when the document is not one of ours. */
export const readShell = async (directory: string): Promise<Shell | undefined> => {
  const file = path.join(directory, '.vite/index.html');
  if (!existsSync(file)) return undefined;
  const [before, rest] = cut(await readFile(file, 'utf8'), START);
  const [, tail] = cut(rest, END);
  const [above, drawn] = cut(tail.slice(END.length), ROOT);
  const [below, foot] = cut(drawn.slice(ROOT.length), FOOT);
  const heads = path.join(directory, '.vite/page-heads.json');
  return { before, after: above + ROOT, below, foot, heads: existsSync(heads) ? JSON.parse(await readFile(heads, 'utf8')) : {} };
};

/**
 * A drawn page is painted before its scripts are fetched: it keeps them until its first script (web/start) takes them out of here. Any other
 * needs them at once.
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

/** The whole document of a page, for a shop that is found under this address. `screen`: what is drawn of it beforehand, as HTML. */
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
