import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import path from 'node:path';
import { defineConfig, type Plugin } from 'vite';
import { pageHeads, pageShell } from './build/page-heads.ts';
import { precompress } from './build/precompress.ts';
import { heroPreload, preloadFonts } from './build/preloads.ts';
import { variantOf } from './features/content/home/hero-media.ts';
import { siteContent } from './features/content/site-content.ts';

/** The part of rolldown's module information that is used here. */
type ModuleInfo = { readonly importers: readonly string[] };
type Graph = { readonly getModuleInfo: (id: string) => ModuleInfo | null };

/**
 * For `codeSplitting`: puts everything that `roots` import statically, directly or not, into one chunk. The roots themselves keep their own
 * chunks.
 */
const importedBy = (chunk: string, roots: readonly string[]) => {
  const known = new Map<string, boolean>();
  const isWanted = (id: string, graph: Graph): boolean => {
    const before = known.get(id);
    if (before !== undefined) return before;
    // Ends import cycles.
    known.set(id, false);
    const importers = graph.getModuleInfo(id)?.importers ?? [];
    const wanted = importers.some((importer) => roots.includes(importer) || isWanted(importer, graph));
    known.set(id, wanted);
    return wanted;
  };
  return (id: string, graph: Graph): string | null => (isWanted(id, graph) ? chunk : null);
};

const root = import.meta.dirname;

/** The package's exports name its development build only, which is larger and warns. */
const productionRouter: Plugin = {
  name: 'production-router',
  apply: 'build',
  config: () => {
    const built = path.join(root, '../node_modules/react-router/dist/production');
    return {
      resolve: {
        alias: [
          { find: /^react-router$/, replacement: path.join(built, 'index.mjs') },
          { find: /^react-router\/dom$/, replacement: path.join(built, 'dom-export.mjs') },
        ],
      },
    };
  },
};
const { hero } = siteContent;
const HOME = ['app/screens/home-screen.ts'];
const FIRST_PAGE = ['main.tsx', ...HOME].map((file) => path.join(root, file));
const ORDERS = [path.join(root, 'app/screens/order-saga-wiring.ts')];

export default defineConfig({
  root,
  plugins: [
    react(),
    tailwindcss(),
    productionRouter,
    preloadFonts(['eb-garamond-latin-wght-normal', 'figtree-latin-wght-normal']),
    pageHeads({
      every: ['main.tsx', 'features/content/site-content.ts'],
      pages: {
        home: { files: HOME, tags: heroPreload(hero, variantOf(hero)) },
        // With `HERO` set, the server takes one of these instead.
        'home-center': { files: HOME, tags: heroPreload(hero, 'center') },
        'home-split': { files: HOME, tags: heroPreload(hero, 'split') },
        shop: { files: ['app/screens/shop-screen.tsx'] },
        product: { files: ['app/screens/product-screen.tsx'] },
        cart: { files: ['app/screens/cart-screen.tsx'] },
        checkout: { files: ['app/screens/CheckoutScreen.tsx', 'app/screens/order-saga-wiring.ts'] },
        // Not a page: what a page needs that starts with a call.
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
    // Every supported browser has modulepreload.
    modulePreload: { polyfill: false },
    // Fonts and pictures are cached under their own URL; inlined they would be downloaded again with each new style sheet.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        // Libraries change seldom, so in their own chunk they stay cached across releases.
        codeSplitting: {
          groups: [
            // What the first script needs. Apart from the rest, so that the first script does not import what it defers.
            { name: 'start', test: /[\\/]web[\\/]start[\\/]event-replay|vite[\\/]preload-helper/, priority: 1 },
            {
              name: 'libraries',
              test: /node_modules[\\/](react|react-dom|scheduler|react-router|react-router-dom|react-redux|@reduxjs|redux|immer|reselect|@redux-saga)[\\/]/,
            },
            // The home page, header and footer are one chunk: as fifteen small ones they compress worse, by 6 kB.
            { debugName: 'shop', name: importedBy('shop', FIRST_PAGE), test: /[\\/](web|domain)[\\/]/ },
            // Slices and saga of orders come together. As nine small chunks their names alone are 100 bytes of the first script.
            { debugName: 'orders', name: importedBy('orders', ORDERS), test: /[\\/](web|domain)[\\/]/ },
          ],
        },
      },
    },
  },
  // The server-side renderer (draw.tsx) is built with the pages: one file, its libraries included, next to what the server reads.
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
        // ASCII only: with one other character, V8 stores the whole script with two bytes per character.
        rolldownOptions: { input: { draw: path.join(root, 'draw.tsx') }, output: { codeSplitting: false, charset: 'ascii' } },
      },
    },
  },
  server: {
    host: '127.0.0.1',
    proxy: { '/api': process.env.API_URL ?? 'http://127.0.0.1:3000' },
  },
});
