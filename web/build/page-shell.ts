import type { Plugin } from 'vite';

const BUILT = 'index.html';
/** What begins with a dot the server shows nobody. */
const HIDDEN = '.vite/index.html';

/** Leaves the document that all pages are made from where the server reads it and sends it to nobody: by itself it is no page. */
export const pageShell = (): Plugin => ({
  name: 'page-shell',
  apply: 'build',
  applyToEnvironment: ({ name }) => name === 'client',
  generateBundle: {
    order: 'post',
    handler(_, bundle) {
      const shell = bundle[BUILT];
      if (shell?.type !== 'asset') throw new Error(`The build has no ${BUILT}`);
      delete bundle[BUILT];
      this.emitFile({ type: 'asset', fileName: HIDDEN, source: shell.source });
    },
  },
});
