import escapeHtml from 'escape-html';

export class Html {
  constructor(readonly markup: string) {}
}

type Part = string | number | Html | readonly Html[];

const renderPart = (part: Part): string => {
  if (part instanceof Html) return part.markup;
  if (typeof part === 'object') return part.map(({ markup }) => markup).join('');
  return escapeHtml(String(part));
};

/** The texts of templates are cached without source indentation. */
const sent = new WeakMap<TemplateStringsArray, readonly string[]>();
const cleanTexts = (template: TemplateStringsArray): readonly string[] => {
  const known = sent.get(template);
  if (known) return known;
  const texts = template.map((text) => text.replaceAll(/\n\s+/g, '\n'));
  sent.set(template, texts);
  return texts;
};

/** Escapes values: html`<p>${name}</p>`. */
export const html = (template: TemplateStringsArray, ...parts: readonly Part[]): Html => {
  let markup = '';
  for (const [index, text] of cleanTexts(template).entries()) {
    const part = parts[index];
    markup += part === undefined ? text : text + renderPart(part);
  }
  return new Html(markup);
};
