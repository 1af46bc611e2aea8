import { escapeHtml } from '../../escape-html.ts';

/** Markup that may stand in a page as it is. Only `html` makes it. */
export class Html {
  constructor(readonly markup: string) {}
}

type Part = string | number | Html | readonly Html[];

const markupOf = (part: Part): string => {
  if (part instanceof Html) return part.markup;
  if (typeof part === 'object') return part.map(({ markup }) => markup).join('');
  return escapeHtml(String(part));
};

/** Markup with values in it, each of them escaped: html`<p>${name}</p>`. */
export const html = (texts: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(texts.map((text, index) => text + (index < parts.length ? markupOf(parts[index] ?? '') : '')).join(''));
