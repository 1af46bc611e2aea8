import type { IndexHtmlTransformResult, Plugin } from 'vite';

type Wanted = {
  /** Font files by their names in the packages, without hash and ending. */
  readonly fonts: readonly string[];
  /** Scripts that the first script imports once it runs, by their names in the source. */
  readonly modules: readonly string[];
};

/** The screen comes drawn: its style sheet, letters and picture go before the scripts that take it over. */
const scriptsLast = (html: string): string =>
  html.replaceAll(/<(script type="module"|link rel="modulepreload")/g, '<$1 fetchpriority="low"');

/** Names in the page's head what the first paint needs, so that it does not wait for style sheet or script to be read first. */
export const preload = ({ fonts, modules }: Wanted): Plugin => ({
  name: 'preload',
  apply: 'build',
  applyToEnvironment: ({ name }) => name === 'client',
  transformIndexHtml: {
    order: 'post',
    handler: (html, { bundle = {} }): IndexHtmlTransformResult => {
      const files = Object.keys(bundle);
      const find = (name: string, ending: string): string => {
        const file = files.find((each) => each.startsWith(`assets/${name}-`) && each.endsWith(ending));
        if (!file) throw new Error(`The build has no ${name}${ending}`);
        return `/${file}`;
      };
      const font = { as: 'font', type: 'font/woff2', crossorigin: true };
      const tags = [
        ...fonts.map((name) => ({ tag: 'link', attrs: { rel: 'preload', href: find(name, '.woff2'), ...font } })),
        ...modules.map((name) => ({
          tag: 'link',
          attrs: { rel: 'modulepreload', href: find(name, '.js'), crossorigin: true, fetchpriority: 'low' },
        })),
      ];
      return { html: scriptsLast(html), tags };
    },
  },
});
