import path from 'node:path';
import type { Plugin, Rolldown } from 'vite';

/** A page: the file of its screen, below the root, and what its head names beside its scripts. */
export type PageHead = { readonly screen: string; readonly tags?: readonly string[] };

/** Where the server finds them in the build; what begins with a dot it shows nobody. */
const FILE = '.vite/page-heads.json';

type Bundle = Readonly<Record<string, Rolldown.OutputAsset | Rolldown.OutputChunk>>;

const chunksOf = (bundle: Bundle): Rolldown.OutputChunk[] => Object.values(bundle).filter((file) => file.type === 'chunk');

/** A chunk and all that it imports at once. */
const withImports = (bundle: Bundle, file: string, found = new Set<string>()): Set<string> => {
  const chunk = bundle[file];
  if (chunk?.type !== 'chunk' || found.has(file)) return found;
  found.add(file);
  for (const each of chunk.imports) withImports(bundle, each, found);
  return found;
};

/**
 * Leaves in the build, for each page, the tags that have the browser fetch what this page needs before any script has asked for it:
 * its scripts, and where it has one, the picture that the first paint waits for. The server puts them into the page.
 */
export const pageHeads = (pages: Readonly<Record<string, PageHead>>): Plugin => ({
  name: 'page-heads',
  apply: 'build',
  applyToEnvironment: ({ name }) => name === 'client',
  generateBundle: {
    order: 'post',
    handler(_, bundle) {
      const { root } = this.environment.config;
      const chunkOf = (file: string): string => {
        const chunk = chunksOf(bundle).find(({ facadeModuleId }) => facadeModuleId === file);
        if (!chunk) throw new Error(`The build has no chunk for ${file}`);
        return chunk.fileName;
      };
      const named = withImports(bundle, chunkOf(path.join(root, 'index.html')));
      const headOf = ({ screen, tags = [] }: PageHead): string => {
        const scripts = [...withImports(bundle, chunkOf(path.join(root, screen)))].filter((file) => !named.has(file));
        return [...tags, ...scripts.map((file) => `<link rel="modulepreload" crossorigin fetchpriority="low" href="/${file}">`)].join('');
      };
      const heads = Object.fromEntries(Object.entries(pages).map(([name, page]) => [name, headOf(page)]));
      this.emitFile({ type: 'asset', fileName: FILE, source: JSON.stringify(heads) });
    },
  },
});
