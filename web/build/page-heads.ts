import path from 'node:path';
import type { Plugin, Rolldown } from 'vite';

/** A page: the files that it begins with, below the root, and what its head names beside their scripts. */
type PageHead = { readonly files: readonly string[]; readonly tags?: readonly string[] };

type Heads = {
  /** The files that every page begins with. */
  readonly every: readonly string[];
  readonly pages: Readonly<Record<string, PageHead>>;
};

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
 * Leaves in the build, for every page together (`every`) and for each, the tags that have the browser fetch what it needs before any
 * script has asked for it: `first` the picture that the first paint waits for, where there is one, and `scripts`. The server puts them into
 * the page.
 */
export const pageHeads = ({ every, pages }: Heads): Plugin => ({
  name: 'page-heads',
  apply: 'build',
  applyToEnvironment: ({ name }) => name === 'client',
  generateBundle: {
    order: 'post',
    handler(_, bundle) {
      const { root } = this.environment.config;
      const scriptsOf = (file: string): string[] => {
        const chunk = chunksOf(bundle).find(({ facadeModuleId }) => facadeModuleId === path.join(root, file));
        if (!chunk) throw new Error(`The build has no chunk for ${file}`);
        return [...withImports(bundle, chunk.fileName)];
      };
      const tagsOf = (scripts: readonly string[]): string =>
        scripts.map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`).join('');
      const begun = new Set(scriptsOf('index.html'));
      const common = new Set(every.flatMap(scriptsOf).filter((file) => !begun.has(file)));
      const headOf = ({ files, tags = [] }: PageHead) => {
        const scripts = new Set(files.flatMap(scriptsOf).filter((file) => !begun.has(file) && !common.has(file)));
        return { first: tags.join(''), scripts: tagsOf([...scripts]) };
      };
      const heads = Object.entries(pages).map(([name, page]) => [name, headOf(page)] as const);
      const source = JSON.stringify({ every: { first: '', scripts: tagsOf([...common]) }, ...Object.fromEntries(heads) });
      this.emitFile({ type: 'asset', fileName: FILE, source });
    },
  },
});

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
