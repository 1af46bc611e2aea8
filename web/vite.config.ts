import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import path from 'node:path';
import { defineConfig, type Plugin } from 'vite';
import { onePage } from './build/one-page.ts';
import { pageHeads, pageShell } from './build/page-heads.ts';
import { precompress } from './build/precompress.ts';
import { heroPreload, preloadFonts } from './build/preloads.ts';
import { chooseHeroVariant } from './features/content/home/hero-media.ts';
import { siteContent } from './features/content/site-content.ts';

type ModuleInfo = { readonly importers: readonly string[] };
type Graph = { readonly getModuleInfo: (id: string) => ModuleInfo | null };
type InChunk = (id: string, graph: Graph) => boolean;

/** Tests whether a module is a direct or indirect static import of one of `roots`. */
const importedBy = (roots: readonly string[]): InChunk => {
  const known = new Map<string, boolean>();
  const isWanted: InChunk = (id, graph) => {
    const before = known.get(id);
    if (before !== undefined) return before;
    // Ends import cycles.
    known.set(id, false);
    const importers = graph.getModuleInfo(id)?.importers ?? [];
    const wanted = importers.some((importer) => roots.includes(importer) || isWanted(importer, graph));
    known.set(id, wanted);
    return wanted;
  };
  return isWanted;
};

const root = import.meta.dirname;

/** The package's exports name only its development build, which is larger and logs warnings. */
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
const HOME = ['app/screens/HomePage.tsx'];
const inRoot = (files: readonly string[]): readonly string[] => files.map((file) => path.join(root, file));
const FIRST_PAGE = inRoot(['main.tsx', ...HOME]);
const ORDERS = inRoot(['app/screens/order-saga-wiring.ts']);
const [byFirstPage, byOrders] = [importedBy(FIRST_PAGE), importedBy(ORDERS)];
const byProduct = importedBy(inRoot(['app/screens/product-screen.tsx']));
const byCart = importedBy(inRoot(['app/screens/cart-screen.tsx']));
const byCheckout = importedBy(inRoot(['app/screens/CheckoutScreen.tsx']));
const OURS = /[\\/](web|domain)[\\/]/;
const COMPONENT = /[\\/]web[\\/](lib|ui)[\\/]/;
const GENERAL = /[\\/](web[\\/](lib|ui)|domain)[\\/]/;

/** Tests whether a module belongs to the home page, the header or the footer. */
const isOfShop: InChunk = (id, graph) => FIRST_PAGE.includes(id) || byFirstPage(id, graph);
const isShared: InChunk = (id, graph) => byCart(id, graph) && byCheckout(id, graph);
/** Tests for general modules that the product page uses, and components that cart and checkout share. Other pages use some of them too. */
const isCommon: InChunk = (id, graph) => (GENERAL.test(id) && byProduct(id, graph)) || (COMPONENT.test(id) && isShared(id, graph));
/** Tests for everything else that cart and checkout both use, with the slices and saga of orders. */
const isOfOrders: InChunk = (id, graph) => ORDERS.includes(id) || byOrders(id, graph) || isShared(id, graph);

export default defineConfig({
  root,
  plugins: [
    react({ jsxImportSource: '#jsx' }),
    tailwindcss(),
    productionRouter,
    preloadFonts(['eb-garamond-latin-wght-normal', 'figtree-latin-wght-normal']),
    pageHeads({
      every: ['main.tsx', 'features/content/site-content.ts'],
      pages: {
        home: { files: HOME, tags: heroPreload(hero, chooseHeroVariant(hero)) },
        // If `HERO` is set, the server uses one of these instead.
        'home-center': { files: HOME, tags: heroPreload(hero, 'center') },
        'home-split': { files: HOME, tags: heroPreload(hero, 'split') },
        shop: { files: ['app/screens/shop-screen.tsx'] },
        product: { files: ['app/screens/product-screen.tsx'] },
        cart: { files: ['app/screens/cart-screen.tsx'] },
        checkout: { files: ['app/screens/CheckoutScreen.tsx', 'app/screens/order-saga-wiring.ts'] },
        // This entry is not a page: it is what a page that starts with a call needs.
        calls: { files: ['lib/http/http-client.ts'] },
        about: { files: ['features/content/AboutPage.tsx'] },
      },
    }),
    pageShell(),
    precompress(),
    onePage({ environment: 'verify', html: 'verify/verify.html', logo: 'public/logo.svg', makes: 'verify.html' }),
  ],
  build: {
    outDir: path.join(root, '../.build/web'),
    emptyOutDir: true,
    // Every supported browser has modulepreload.
    modulePreload: { polyfill: false },
    // Fonts and pictures are cached under their own URL. Inlined, they would be downloaded again with each new style sheet.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        // Libraries seldom change, so in their own chunk they stay cached across releases.
        codeSplitting: {
          groups: [
            // The first script needs this chunk. It is separate so that the first script does not import what it defers.
            { name: 'start', test: /[\\/]web[\\/]start[\\/]event-replay|vite[\\/]preload-helper/, priority: 1 },
            {
              name: 'libraries',
              test: /node_modules[\\/](react|react-dom|scheduler|react-router|react-router-dom|react-redux|@reduxjs|redux|immer|reselect|@redux-saga)[\\/]/,
            },
            // Each chunk is one more request with 800 bytes of headers and is compressed alone, so small ones are put together.
            { debugName: 'shop', name: (id, graph) => (isOfShop(id, graph) ? 'shop' : null), test: OURS },
            { debugName: 'common', name: (id, graph) => (isCommon(id, graph) ? 'common' : null), test: OURS },
            { debugName: 'orders', name: (id, graph) => (isOfOrders(id, graph) ? 'orders' : null), test: OURS },
          ],
        },
      },
    },
  },
  // The server-side renderer (render.tsx) is built with the pages: one file, with its libraries, next to the files that the server reads.
  builder: {},
  environments: {
    // The page that verifies receipts is one file, which the server fills in.
    verify: {
      consumer: 'client',
      build: {
        outDir: path.join(root, '../.build/web/.vite/verify'),
        copyPublicDir: false,
        modulePreload: { polyfill: false },
        cssCodeSplit: false,
        assetsInlineLimit: 100_000,
        rolldownOptions: { input: path.join(root, 'verify/receipt-page.ts'), output: { codeSplitting: false } },
      },
    },
    ssr: {
      define: { 'process.env.NODE_ENV': '"production"' },
      resolve: { noExternal: true },
      build: {
        ssr: true,
        target: 'node20',
        outDir: path.join(root, '../.build/web/.vite/renderer'),
        minify: true,
        copyPublicDir: false,
        // The output is ASCII: with a single other character, V8 stores the whole script with two bytes per character.
        rolldownOptions: { input: { render: path.join(root, 'render.tsx') }, output: { codeSplitting: false, charset: 'ascii' } },
      },
    },
  },
  server: {
    host: '127.0.0.1',
    proxy: { '/api': process.env.API_URL ?? 'http://127.0.0.1:3000' },
  },
});
