import path from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { precompress } from './build/precompress.ts';
import { preload } from './build/preload.ts';

const root = import.meta.dirname;

export default defineConfig({
  root,
  plugins: [
    react(),
    tailwindcss(),
    preload({ fonts: ['eb-garamond-latin-wght-normal', 'figtree-latin-wght-normal'], modules: ['site-content'] }),
    precompress(),
  ],
  build: {
    outDir: path.join(root, '../.build/web'),
    emptyOutDir: true,
    // The server reads it to name what a page needs before the browser has asked for it.
    manifest: true,
    // Fonts and pictures are cached for ever under their own address; inlined they would be fetched again with each new style sheet.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        // What every page stands on changes seldom: apart from the shop's own script it stays cached over its releases.
        codeSplitting: {
          groups: [
            {
              name: 'libraries',
              test: /node_modules[\\/](react|react-dom|scheduler|react-router|react-redux|@reduxjs|redux|immer|reselect|axios|@redux-saga)/,
            },
          ],
        },
      },
    },
  },
  server: {
    host: '127.0.0.1',
    proxy: { '/api': process.env.API_URL ?? 'http://127.0.0.1:3000' },
  },
});
