import type { IndexHtmlTransformResult, Plugin } from 'vite';

/**
 * Names in the page's head the letters that the first paint needs, so that it does not wait for the style sheet to be read first. `fonts`:
 * font files by their names in the packages, without hash and ending.
 */
export const preloadFonts = (fonts: readonly string[]): Plugin => ({
  name: 'preload-fonts',
  apply: 'build',
  applyToEnvironment: ({ name }) => name === 'client',
  transformIndexHtml: {
    order: 'post',
    handler: (_, { bundle = {} }): IndexHtmlTransformResult =>
      fonts.map((name) => {
        const file = Object.keys(bundle).find((each) => each.startsWith(`assets/${name}-`) && each.endsWith('.woff2'));
        if (!file) throw new Error(`The build has no font ${name}`);
        return { tag: 'link', attrs: { rel: 'preload', href: `/${file}`, as: 'font', type: 'font/woff2', crossorigin: true } };
      }),
  },
});
