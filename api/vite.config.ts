import { builtinModules } from 'node:module';
import path from 'node:path';
import { defineConfig } from 'vite';

const root = import.meta.dirname;

/**
 * The server as two programs, and the thread in which one reads a long log, their libraries left where npm has put them: they start in a
 * fraction of the time.
 */
export default defineConfig({
  root,
  publicDir: false,
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
        command: path.join(root, 'commands/main.ts'),
        'reading-thread': path.join(root, 'event-store/reading-thread.ts'),
      },
      external: [...builtinModules, /^node:/],
      // The maps name the lines of our files; with the files in them they would take more memory than the programs.
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js', sourcemapExcludeSources: true },
    },
  },
});
