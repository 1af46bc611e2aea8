import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { describe, expect, test } from 'vitest';

import { readConfig } from './config.ts';
import { CannotStart } from './platform/cannot-start.ts';

describe('with nothing configured', () => {
  test('the shop is embedded, listens on this machine only, and has an admin', () => {
    expect(readConfig({})).toMatchObject({
      host: '127.0.0.1',
      port: 3_000,
      dataDir: path.resolve('.data'),
      databaseUrl: undefined,
      eventStoreUrl: undefined,
      smtpUrl: undefined,
      admin: { email: 'admin@ruhani.example', password: undefined },
      auditor: undefined,
      google: undefined,
      logLevel: 'info',
      rateLimitFactor: 1,
      seed: 'catalogue',
    });
  });

  test('a variable that is empty counts as not set', () => expect(readConfig({ PORT: '', SMTP_URL: '' })).toEqual(readConfig({})));
});

describe('in production', () => {
  const DATABASE_URL = 'postgres://ruhani:secret@db:5432/ruhani';

  test('there is no admin unless one is configured', () => expect(readConfig({ DATABASE_URL }).admin).toBeUndefined());

  test('addresses are used unchanged, and only the origin of PUBLIC_URL', () =>
    expect(
      readConfig({
        DATABASE_URL,
        EVENTSTORE_URL: 'esdb://es:2113?tls=false',
        PUBLIC_URL: 'https://ruhani.example/',
        SMTP_URL: 'smtp://mail:25',
        RATE_LIMIT_FACTOR: '0.5',
      }),
    ).toMatchObject({
      databaseUrl: DATABASE_URL,
      eventStoreUrl: 'esdb://es:2113?tls=false',
      publicUrl: 'https://ruhani.example',
      rateLimitFactor: 0.5,
    }));

  test('a key-encryption key is 32 bytes as base64, in either alphabet', () => {
    const key = Buffer.alloc(32, 0xfb);
    for (const KEY_ENCRYPTION_KEY of [key.toString('base64'), key.toString('base64url')])
      expect(readConfig({ KEY_ENCRYPTION_KEY }).keyEncryptionKey).toEqual(key);
  });

  test('third-party sign-in needs only the client id', () =>
    expect(readConfig({ GOOGLE_CLIENT_ID: 'ruhani' }).google).toEqual({
      clientId: 'ruhani',
      jwksUrl: 'https://www.googleapis.com/oauth2/v3/certs',
      issuer: 'https://accounts.google.com',
    }));
});

describe('secrets', () => {
  const inFile = (name: string, text: string): string => {
    const file = path.join(mkdtempSync(path.join(tmpdir(), 'ruhani-secret-')), name);
    writeFileSync(file, text);
    return file;
  };

  test('are read from the files that variables with _FILE name, without the last end of line', () => {
    const SESSION_SECRET_FILE = inFile('session-secret', 'thirty-two characters and a space \n');
    expect(readConfig({ SESSION_SECRET_FILE }).sessionSecret).toBe('thirty-two characters and a space ');
  });

  test('of an empty file count as not set', () => expect(readConfig({ SMTP_URL_FILE: inFile('smtp-url', '\n') })).toEqual(readConfig({})));

  test('of a missing file, or that are set twice, stop the start', () => {
    expect(() => readConfig({ SMTP_URL_FILE: '/nowhere/smtp-url' })).toThrow('SMTP_URL_FILE names a file that cannot be read (ENOENT).');
    const twice = { SMTP_URL_FILE: inFile('smtp-url', 'smtp://a'), SMTP_URL: 'smtp://b' };
    expect(() => readConfig(twice)).toThrow('SMTP_URL and SMTP_URL_FILE are both set: set one of them.');
  });

  test('are not shown when they are wrong', () => {
    const SESSION_SECRET_FILE = inFile('session-secret', 'too short');
    expect(() => readConfig({ SESSION_SECRET_FILE })).toThrow(/^SESSION_SECRET has a wrong value\. It takes at least 32/);
  });

  test('a password of the database may have any characters', () => {
    const passwords = ['p@ss/w:rd?#[%41]', "100%'\\ é"];
    const [first = '', second = ''] = passwords;
    const { databaseUrl, databaseMigrationUrl, databaseReadUrl } = readConfig({
      DATABASE_URL: 'postgres://shop@db:5432/ruhani',
      DATABASE_READ_URL: 'postgres://shop@replica:5432/ruhani',
      DATABASE_PASSWORD: first,
      DATABASE_MIGRATION_URL: 'postgres://owner:old@db:5432/ruhani',
      DATABASE_MIGRATION_PASSWORD_FILE: inFile('owner', `${second}\n`),
    });
    const understood = [databaseUrl, databaseReadUrl, databaseMigrationUrl].map((url = '') => new pg.Client({ connectionString: url }));
    expect(understood.map(({ user, password, host }) => [user, password, host])).toEqual([
      ['shop', first, 'db'],
      ['shop', first, 'replica'],
      ['owner', second, 'db'],
    ]);
  });
});

describe('payments', () => {
  const keys = { RAZORPAY_KEY_ID: 'rzp_live_1', RAZORPAY_KEY_SECRET: 'the-key', RAZORPAY_WEBHOOK_SECRET: 'the-hook' };

  test('use the test gateway, with a reminder after an hour and a day for paying', () =>
    expect(readConfig({}).payments).toEqual({ razorpay: undefined, reminderMinutes: 60, windowMinutes: 1_440 }));

  test('are real with all three keys, even on an embedded database', () =>
    expect(readConfig(keys).payments.razorpay).toEqual({
      keyId: 'rzp_live_1',
      keySecret: 'the-key',
      webhookSecret: 'the-hook',
      url: undefined,
    }));

  test.each(Object.keys(keys))('are refused at the start without %s', (missing) => {
    const reading = () => readConfig({ ...keys, [missing]: '' });
    expect(reading).toThrow(/RAZORPAY_KEY_ID, RAZORPAY_KEY_SECRET and RAZORPAY_WEBHOOK_SECRET belong together/);
    expect(reading).not.toThrow(/the-key|the-hook/);
  });

  test.each(['https://api.example', 'http://127.0.0.1:9000', 'http://localhost:9000/', 'http://[::1]:9000'])('may be sent to %s', (url) =>
    expect(readConfig({ ...keys, RAZORPAY_URL: url }).payments.razorpay?.url).toBe(url.replace(/\/$/, '')),
  );

  test('need keys for other addresses', () => expect(() => readConfig({ RAZORPAY_URL: 'https://api.example' })).toThrow(/RAZORPAY_KEY_ID/));

  test.each(['0', '0.05', '.5', '1.', '1440.000000000001', String(1 / 60)])('may have a time limit of %s minutes', (minutes) =>
    expect(readConfig({ PAYMENT_REMINDER_MINUTES: minutes, PAYMENT_WINDOW_MINUTES: minutes }).payments).toMatchObject({
      reminderMinutes: Number(minutes),
      windowMinutes: Number(minutes),
    }),
  );
});

describe('the seller on invoices', () => {
  test('is RUHANI in Uttar Pradesh, without a GSTIN', () =>
    expect(readConfig({}).seller).toEqual({ name: 'RUHANI', address: 'Kannauj 209725, India', state: 'Uttar Pradesh' }));

  test('has the configured name, and the state whose code begins the GSTIN', () =>
    expect(
      readConfig({ SELLER_NAME: ' Attar House ', SELLER_ADDRESS: 'Kochi', SELLER_STATE: ' kerala', SELLER_GSTIN: '32AAACR1234A1Z5' })
        .seller,
    ).toEqual({ name: 'Attar House', address: 'Kochi', state: 'Kerala', gstin: '32AAACR1234A1Z5' }));

  test('cannot have a GSTIN of another state', () =>
    expect(() => readConfig({ SELLER_GSTIN: '32AAACR1234A1Z5' })).toThrow(/SELLER_GSTIN begins with the code of the seller's state/));
});

describe('the event store', () => {
  test.each([
    'esdb://127.0.0.1:2113?tls=false',
    'esdb+discover://shop:secret@cluster.example:2113?tls=true',
    'esdb://shop:secret@node1:2113,node2:2113,node3:2113?tls=true&tlsCaFile=/run/secrets/ca.crt',
  ])('may be %s', (EVENTSTORE_URL) => expect(readConfig({ EVENTSTORE_URL }).eventStoreUrl).toBe(EVENTSTORE_URL));
});

test('a replica is allowed only with a database', () => {
  const DATABASE_READ_URL = 'postgres://replica/ruhani';
  expect(readConfig({ DATABASE_URL: 'postgres://db/ruhani', DATABASE_READ_URL }).databaseReadUrl).toBe(DATABASE_READ_URL);
  expect(() => readConfig({ DATABASE_READ_URL })).toThrow(/DATABASE_URL/);
});

describe('traces are sent', () => {
  const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://collector:4318';

  test('only if they are requested', () => expect(readConfig({ OTEL_SERVICE_NAME: 'shop' }).traces).toBeUndefined());

  test('to the address in a variable of OpenTelemetry', () => {
    expect(readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT }).traces).toEqual({ exporter: 'otlp', serviceName: 'ruhani' });
    expect(readConfig({ OTEL_TRACES_EXPORTER: 'console', OTEL_SERVICE_NAME: 'shop' }).traces).toEqual({
      exporter: 'console',
      serviceName: 'shop',
    });
  });

  test.each([{ OTEL_SDK_DISABLED: 'true' }, { OTEL_TRACES_EXPORTER: 'none' }])('unless %j is set', (off) =>
    expect(readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT, ...off }).traces).toBeUndefined(),
  );
});

describe('a shop with a public address', () => {
  const PUBLIC_URL = 'https://ruhani.example';

  test('does not start without a mail server', () => expect(() => readConfig({ PUBLIC_URL })).toThrow(/^PUBLIC_URL .* SMTP_URL /));

  test('keeps mails if that is what SMTP_URL says', () =>
    expect(readConfig({ PUBLIC_URL, SMTP_URL: 'catch' })).toMatchObject({ publicUrl: PUBLIC_URL, smtpUrl: undefined }));

  test.each(['http://localhost:8080', 'https://127.0.0.1', 'http://[::1]:3000'])('which this machine is not: %s', (url) =>
    expect(readConfig({ PUBLIC_URL: url }).publicUrl).toBe(url),
  );
});

describe('a wrong value stops the start with the name of its variable and what it takes', () => {
  test.each([
    ['PORT', '65536'],
    ['PORT', 'eighty'],
    ['PORT', '-1'],
    ['HOST', 'not a host'],
    ['DATABASE_URL', 'mysql://db/ruhani'],
    ['EVENTSTORE_URL', 'http://es:2113'],
    ['EVENTSTORE_URL', 'esdb://es:2113, es2:2113'],
    ['DATABASE_READ_URL', 'replica'],
    ['SMTP_URL', 'mail.example'],
    ['PUBLIC_URL', 'https://ruhani.example/shop'],
    ['PUBLIC_URL', 'ruhani.example'],
    ['SESSION_SECRET', 'too-short'],
    ['KEY_ENCRYPTION_KEY', 'a text of forty-four characters, not a key!!'],
    ['KEY_ENCRYPTION_KEY', 'dG9vIHNob3J0'],
    ['LOG_SIGNING_KEY', 'dG9vIHNob3J0'],
    ['KEY_ENCRYPTION_KEY_PREVIOUS', 'none'],
    ['KEY_ROTATION_DAYS', '0'],
    ['KEY_ROTATION_DAYS', 'a month'],
    ['ADMIN_EMAIL', 'admin'],
    ['AUDITOR_EMAIL', 'books@ruhani..example'],
    ['ADMIN_PASSWORD', 'short'],
    ['RAZORPAY_KEY_ID', 'two words'],
    ['RAZORPAY_URL', 'https://api.razorpay.com/v1'],
    ['RAZORPAY_URL', 'http://api.razorpay.com'],
    ['RAZORPAY_URL', 'http://localhost.evil.example'],
    ['PAYMENT_REMINDER_MINUTES', '-1'],
    ['PAYMENT_REMINDER_MINUTES', 'an hour'],
    ['PAYMENT_REMINDER_MINUTES', '.'],
    ['PAYMENT_WINDOW_MINUTES', '-0.5'],
    ['PAYMENT_WINDOW_MINUTES', '1e3'],
    ['PAYMENT_WINDOW_MINUTES', 'Infinity'],
    ['SELLER_NAME', 'R'.repeat(201)],
    ['SELLER_ADDRESS', 'K'.repeat(501)],
    ['SELLER_STATE', 'Atlantis'],
    ['SELLER_GSTIN', '09aaacr1234a1z5'],
    ['LOG_LEVEL', 'loud'],
    ['RATE_LIMIT_FACTOR', '0'],
    ['RATE_LIMIT_FACTOR', 'many'],
    ['SEED', 'everything'],
    ['HERO', 'left'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4317'],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
    ['OTEL_TRACES_EXPORTER', 'zipkin'],
    ['OTEL_SDK_DISABLED', 'yes'],
  ])('in %s=%s', (name, value) => {
    const reading = () => readConfig({ [name]: value });
    expect(reading).toThrow(CannotStart);
    expect(reading).toThrow(new RegExp(`^${name} has a wrong value\\. It takes .+\\.$`));
  });

  test('without showing the value, which may be a secret in the wrong place', () =>
    expect(() => readConfig({ SESSION_SECRET: 'hunter2' })).not.toThrow(/hunter2/));

  test('for half an auditor', () => expect(() => readConfig({ AUDITOR_EMAIL: 'audit@ruhani.example' })).toThrow(/AUDITOR_PASSWORD/));
});
