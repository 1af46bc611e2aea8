import { escapeHtml } from '../platform/escape-html.ts';

/**
 * JSON in a script element, escaped so that it cannot end the element. The element holds data, not a script: the content security policy
 * allows it.
 */
export const dataElement = (type: 'application/json' | 'application/ld+json', json: string, id?: string): string =>
  `<script type="${type}"${id === undefined ? '' : ` id="${id}"`}>${json.replaceAll('<', String.raw`\u003c`)}</script>`;

export const meta = (kind: 'name' | 'property', name: string, content: string): string =>
  `<meta ${kind}="${name}" content="${escapeHtml(content)}">`;
