import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Plugin } from 'vite';

type OnePage = {
  /** The HTML has the comments `<!--policy-->`, `<!--style-->`, `<!--logo-->` and `<!--script-->`. */
  readonly html: string;
  readonly logo: string;
  /** The name of the file in the build. */
  readonly makes: string;
  /** The environment whose build is put into the page. */
  readonly environment: string;
};

const hashOf = (content: string): string => `'sha256-${createHash('sha256').update(content).digest('base64')}'`;

/**
 * Makes one HTML file of a build of one script and one style sheet, with everything in it, so that it works from disk without a network. Its
 * content security policy allows just these two, and nothing from anywhere.
 */
export const onePage = ({ html, logo, makes, environment }: OnePage): Plugin => ({
  name: 'one-page',
  apply: 'build',
  applyToEnvironment: ({ name }) => name === environment,
  generateBundle: {
    order: 'post',
    async handler(_, bundle) {
      const { root } = this.environment.config;
      const files = Object.values(bundle);
      const script = files.map((file) => (file.type === 'chunk' ? file.code.trim() : '')).join('');
      const style = files
        .map((file) => (file.type === 'asset' && file.fileName.endsWith('.css') ? String(file.source).trim() : ''))
        .join('');
      for (const name of Object.keys(bundle)) delete bundle[name];
      const policy = `default-src 'none'; script-src ${hashOf(script)}; style-src ${hashOf(style)}; font-src data:; img-src data:; base-uri 'none'; form-action 'none'`;
      const parts: Readonly<Record<string, string>> = {
        policy: `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
        style: `<style>${style}</style>`,
        logo: await readFile(path.join(root, logo), 'utf8'),
        script: `<script type="module">${script}</script>`,
      };
      const page = (await readFile(path.join(root, html), 'utf8')).replaceAll(/<!--(\w+)-->/g, (_, name: string) => parts[name] ?? '');
      this.emitFile({ type: 'asset', fileName: makes, source: page });
    },
  },
});
