import { escapeHtml } from '../escape-html.ts';

/** JSON within a script element, which nothing in it can end. Such an element is data and no script: the policy of the page lets it stand. */
export const dataElement = (type: 'application/json' | 'application/ld+json', json: string, id?: string): string =>
  `<script type="${type}"${id === undefined ? '' : ` id="${id}"`}>${json.replaceAll('<', String.raw`\u003c`)}</script>`;

export const meta = (kind: 'name' | 'property', name: string, content: string): string =>
  `<meta ${kind}="${name}" content="${escapeHtml(content)}">`;
