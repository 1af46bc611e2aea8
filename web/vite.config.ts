import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import path from 'node:path';
import { defineConfig } from 'vite';
import { pageHeads, pageShell } from './build/page-heads.ts';
import { precompress } from './build/precompress.ts';
import { heroPreload, preloadFonts } from './build/preloads.ts';
import { siteContent } from './features/content/site-content.ts';

/** What a bundler says of a module: its file, and the files that import it at once. */
type ModuleInfo = { readonly importers: readonly string[] };
type Graph = { readonly getModuleInfo: (id: string) => ModuleInfo | null };

/**
 * Names one chunk for all that these modules import at once, directly or not, and none for anything else. The modules themselves stay
 * where they are, so that each remains the beginning of a chunk of its own.
 */
const importedBy = (chunk: string, roots: readonly string[]) => {
  const known = new Map<string, boolean>();
  const isWanted = (id: string, graph: Graph): boolean => {
    const before = known.get(id);
    if (before !== undefined) return before;
    // Until it is known it counts as no: a circle of imports ends here.
    known.set(id, false);
    const importers = graph.getModuleInfo(id)?.importers ?? [];
    const wanted = importers.some((importer) => roots.includes(importer) || isWanted(importer, graph));
    known.set(id, wanted);
    return wanted;
  };
  return (id: string, graph: Graph): string | null => (isWanted(id, graph) ? chunk : null);
};

const root = import.meta.dirname;
const FIRST_PAGE = ['main.tsx', 'app/screens/home-screen.ts'].map((file) => path.join(root, file));

export default defineConfig({
  root,
  plugins: [
    react(),
    tailwindcss(),
    preloadFonts(['eb-garamond-latin-wght-normal', 'figtree-latin-wght-normal']),
    pageHeads({
      every: ['main.tsx', 'features/content/site-content.ts'],
      pages: {
        home: { files: ['app/screens/home-screen.ts'], tags: heroPreload(siteContent.hero) },
        shop: { files: ['app/screens/shop-screen.tsx'] },
        product: { files: ['app/screens/product-screen.tsx'] },
        cart: { files: ['app/screens/cart-screen.tsx'] },
        checkout: { files: ['app/screens/CheckoutScreen.tsx', 'app/screens/order-saga-wiring.ts'] },
        // Not a page, but what a page needs that begins with a call.
        calls: { files: ['lib/http/http-client.ts'] },
        about: { files: ['features/content/AboutPage.tsx'] },
      },
    }),
    pageShell(),
    precompress(),
  ],
  build: {
    outDir: path.join(root, '../.build/web'),
    emptyOutDir: true,
    // Every browser that runs the shop knows it.
    modulePreload: { polyfill: false },
    // Fonts and pictures are cached for ever under their own address; inlined they would be fetched again with each new style sheet.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        // What every page stands on changes seldom: apart from the shop's own script it stays cached over its releases.
        codeSplitting: {
          groups: [
            // What the first script needs, which must not bring along what it is there to put off.
            { name: 'start', test: /[\\/]web[\\/]start[\\/]event-replay|vite[\\/]preload-helper/, priority: 1 },
            {
              name: 'libraries',
              test: /node_modules[\\/](react|react-dom|scheduler|react-router|react-router-dom|react-redux|@reduxjs|redux|immer|reselect|@redux-saga)[\\/]/,
            },
            // Home and what stands around every page come in one file: as fifteen small ones they compress worse, by 6 kB.
            { debugName: 'shop', name: importedBy('shop', FIRST_PAGE), test: /[\\/](web|domain)[\\/]/ },
          ],
        },
      },
    },
  },
  // With the pages comes what draws their first screens on the server: one program, its libraries in it, beside what the server reads.
  builder: {},
  environments: {
    ssr: {
      define: { 'process.env.NODE_ENV': '"production"' },
      resolve: { noExternal: true },
      build: {
        ssr: true,
        target: 'node20',
        outDir: path.join(root, '../.build/web/.vite/drawing'),
        minify: true,
        copyPublicDir: false,
        // In ASCII: one letter beyond it, and a program takes twice its size in memory.
        rolldownOptions: { input: { draw: path.join(root, 'draw.tsx') }, output: { codeSplitting: false, charset: 'ascii' } },
      },
    },
  },
  server: {
    host: '127.0.0.1',
    proxy: { '/api': process.env.API_URL ?? 'http://127.0.0.1:3000' },
  },
});
