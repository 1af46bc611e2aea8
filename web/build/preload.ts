import type { HtmlTagDescriptor, Plugin } from 'vite';

type Wanted = {
  /** Font files by their names in the packages, without hash and ending. */
  readonly fonts: readonly string[];
  /** Scripts that the first script imports once it runs, by their names in the source. */
  readonly modules: readonly string[];
};

/** Names in the page's head what the first paint needs, so that it does not wait for style sheet or script to be read first. */
export const preload = ({ fonts, modules }: Wanted): Plugin => ({
  name: 'preload',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (_, { bundle = {} }): HtmlTagDescriptor[] => {
      const files = Object.keys(bundle);
      const find = (name: string, ending: string): string => {
        const file = files.find((each) => each.startsWith(`assets/${name}-`) && each.endsWith(ending));
        if (!file) throw new Error(`The build has no ${name}${ending}`);
        return `/${file}`;
      };
      const font = { as: 'font', type: 'font/woff2', crossorigin: true };
      return [
        ...fonts.map((name) => ({ tag: 'link', attrs: { rel: 'preload', href: find(name, '.woff2'), ...font } })),
        ...modules.map((name) => ({ tag: 'link', attrs: { rel: 'modulepreload', href: find(name, '.js'), crossorigin: true } })),
      ];
    },
  },
});
