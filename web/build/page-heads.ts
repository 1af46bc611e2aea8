import path from 'node:path';
import type { Plugin, Rolldown } from 'vite';

/** A page's entry modules, relative to `web/`, and additional tags for its head. */
type PageHead = { readonly files: readonly string[]; readonly tags?: readonly string[] };

type Heads = { readonly every: readonly string[]; readonly pages: Readonly<Record<string, PageHead>> };

/** The server reads this file from the build; paths that start with a dot are never served. */
const FILE = '.vite/page-heads.json';

type Bundle = Readonly<Record<string, Rolldown.OutputAsset | Rolldown.OutputChunk>>;

const listChunks = (bundle: Bundle): Rolldown.OutputChunk[] => Object.values(bundle).filter((file) => file.type === 'chunk');

/** Returns a chunk and all chunks that it imports statically, directly or not. */
const withImports = (bundle: Bundle, file: string, found = new Set<string>()): Set<string> => {
  const chunk = bundle[file];
  if (chunk?.type !== 'chunk' || found.has(file)) return found;
  found.add(file);
  for (const each of chunk.imports) withImports(bundle, each, found);
  return found;
};

/**
 * Writes the preload tags of every page into the build, for the server to insert into the page: `first` for the picture of the first paint,
 * `scripts` for the chunks.
 */
export const pageHeads = ({ every, pages }: Heads): Plugin => ({
  name: 'page-heads',
  apply: 'build',
  applyToEnvironment: ({ name }) => name === 'client',
  generateBundle: {
    order: 'post',
    handler(_, bundle) {
      const { root } = this.environment.config;
      const listScripts = (file: string): string[] => {
        const chunk = listChunks(bundle).find(({ moduleIds }) => moduleIds.includes(path.join(root, file)));
        if (!chunk) throw new Error(`The build has no chunk for ${file}`);
        return [...withImports(bundle, chunk.fileName)];
      };
      const renderTags = (scripts: readonly string[]): string =>
        scripts.map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`).join('');
      const begun = new Set(listScripts('index.html'));
      const common = new Set(every.flatMap(listScripts).filter((file) => !begun.has(file)));
      const renderHead = ({ files, tags = [] }: PageHead) => {
        const scripts = new Set(files.flatMap(listScripts).filter((file) => !begun.has(file) && !common.has(file)));
        return { first: tags.join(''), scripts: renderTags([...scripts]) };
      };
      const heads = Object.entries(pages).map(([name, page]) => [name, renderHead(page)] as const);
      const source = JSON.stringify({ every: { first: '', scripts: renderTags([...common]) }, ...Object.fromEntries(heads) });
      this.emitFile({ type: 'asset', fileName: FILE, source });
    },
  },
});

const BUILT = 'index.html';
const HIDDEN = '.vite/index.html';

/** Moves the built index.html to a path that the server reads as a template and does not serve. */
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
