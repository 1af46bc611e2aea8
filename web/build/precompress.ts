import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const TEXT = /\.(js|css|html|svg|json|txt|xml)$/;
/** Compression saves nothing below this number of bytes. */
const SMALLEST = 512;

const brotli = promisify(brotliCompress);
const gz = promisify(gzip);

const compress = async (file: string): Promise<void> => {
  const content = await readFile(file);
  if (content.length < SMALLEST) return;
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
  await writeFile(`${file}.br`, await brotli(content, { params }));
  await writeFile(`${file}.gz`, await gz(content, { level: constants.Z_BEST_COMPRESSION }));
};

const UNSERVED = /(^|[/\\])\./;

/** Writes a `.br` and a `.gz` file beside every text file, compressed once at build time at the highest level. */
export const precompress = (): Plugin => ({
  name: 'precompress',
  apply: 'build',
  applyToEnvironment: ({ name }) => name === 'client',
  async closeBundle() {
    const { root, build } = this.environment.config;
    const built = path.resolve(root, build.outDir);
    const files = await readdir(built, { recursive: true });
    const served = files.filter((file) => TEXT.test(file) && !UNSERVED.test(file));
    await Promise.all(served.map((file) => compress(path.join(built, file))));
  },
});
