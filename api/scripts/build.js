import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runNode } from './run-program.js';
import { fail, say } from './say.js';

const BUILDS = {
  web: {
    what: 'the pages',
    config: 'web/vite.config.ts',
    sources: ['web', 'domain', 'package-lock.json'],
    makes: '.build/web/.vite/index.html',
  },
  server: {
    what: 'the server',
    config: 'api/vite.config.ts',
    sources: ['api', 'projections', 'domain', 'package-lock.json'],
    makes: '.build/server/main.js',
  },
};

/** Not read by a build. */
const IGNORED = /(?:\.test\.tsx?$|\.md$|[/\\](?:testing|browser-tests|scripts|verification)(?:[/\\]|$))/;

const filesOf = (place) => {
  if (IGNORED.test(place)) return [];
  if (!statSync(place).isDirectory()) return [place];
  return readdirSync(place)
    .sort()
    .flatMap((name) => filesOf(path.join(place, name)));
};

/** Changes with every file that a build is made of, without reading them. */
const stampOf = (sources) => {
  const hash = createHash('sha256');
  for (const file of sources.flatMap(filesOf)) {
    const { size, mtimeMs } = statSync(file);
    hash.update(`${file}\0${size}\0${mtimeMs}\n`);
  }
  return hash.digest('hex');
};

const stampFile = (name) => path.join('.build', `${name}.stamp`);

const isFresh = (name, stamp) => {
  const file = stampFile(name);
  return existsSync(file) && existsSync(BUILDS[name].makes) && readFileSync(file, 'utf8') === stamp;
};

const make = async (name) => {
  const { what, config, sources } = BUILDS[name];
  const stamp = stampOf(sources);
  if (isFresh(name, stamp)) return;
  say(`Building ${what}`);
  // First: an interrupted build must not count as complete.
  rmSync(stampFile(name), { force: true });
  // Tests run under NODE_ENV=test, with which React would be built for development.
  const env = { ...process.env, NODE_ENV: 'production' };
  const code = await runNode(['node_modules/vite/bin/vite.js', 'build', '--config', config, '--logLevel', 'warn'], { env });
  if (code !== 0) fail(`Building ${what} failed: see above.`);
  mkdirSync('.build', { recursive: true });
  writeFileSync(stampFile(name), stamp);
};

/** Makes those of `web` and `server` whose sources have changed. */
export const build = async (...names) => {
  await Promise.all(names.map(make));
};
