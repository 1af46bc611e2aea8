import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { z } from 'zod';

import type { Seller } from '#domain/invoice/events.ts';
import { stateCode, stateNamed } from '#domain/shared/states.ts';
import { heroes } from '#domain/site/pictures.ts';

import { BASE64_KEY } from './event-store/encryption/key-encryption.ts';
import { isLoopbackHost } from './http/context.ts';
import { CannotStart, getErrorCode } from './platform/cannot-start.ts';
import { emailAddress } from './platform/email-address.ts';
import type { TracesConfig } from './observability/tracing/tracing.ts';
import { findRepeated, MOST_NEEDED, MOST_WITNESSES, parseWitnesses, type WitnessPolicy } from './transparency/witness-policy.ts';

const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const wholeNumber = z
  .string()
  .regex(/^\d{1,9}$/)
  .transform(Number);
const address = (protocol: RegExp) => z.url({ protocol });
const password = z.string().min(8).max(128);
const email = z.string().refine((text) => emailAddress(text) !== undefined);
const key = z
  .string()
  .regex(BASE64_KEY)
  .transform((text): Buffer => Buffer.from(text, 'base64'));

/** The origin has no path, because paths are appended to it and it is compared with what browsers call an origin. */
const origin = address(/^https?$/)
  .refine((text) => /^\/?$/.test(text.replace(/^https?:\/\/[^/?#]*/, '')))
  .transform((text) => new URL(text).origin);

/** Over http the keys would be sent in clear text. */
const ofThisMachine = (text: string): boolean => text.startsWith('http://') && isLoopbackHost(text.slice('http://'.length));
const minutes = z
  .string()
  .regex(/^(?:\d{1,6}(?:\.\d*)?|\.\d+)$/)
  .transform(Number);

/** A cluster is named by all of its nodes, which makes it an invalid URL. */
const ESDB = /^esdb(?:\+discover)?:\/\/(?:[^\s:@/?]+:[^\s@/?]*@)?[\w.-]+(?::\d{1,5})?(?:,[\w.-]+(?::\d{1,5})?)*\/?(?:\?\S+)?$/;

/** A collector accepts both at the same address; JSON is sent. */
const OTLP = ['http/json', 'http/protobuf'] as const;

const PRINTED = /^[!-~]{1,200}$/;

/** State, PAN, a number, Z, and a check character. */
const GSTIN = /^\d{2}[A-Z]{5}\d{4}[A-Z][1-9A-Z]Z[0-9A-Z]$/;

/** An empty variable counts as not set. */
const Environment = z.object({
  PORT: wholeNumber.pipe(z.int().max(65_535)).default(3_000),
  HOST: z
    .string()
    .regex(/^[\w.:-]+$/)
    .default('127.0.0.1'),
  OPS_PORT: wholeNumber.pipe(z.int().max(65_535)).optional(),
  WORKERS: z.union([z.literal('auto').transform(availableParallelism), wholeNumber.pipe(z.int().min(1).max(256))]).default(1),
  DATA_DIR: z.string().default('.data'),
  DATABASE_URL: address(/^postgres(?:ql)?$/).optional(),
  DATABASE_MIGRATION_URL: address(/^postgres(?:ql)?$/).optional(),
  DATABASE_READ_URL: address(/^postgres(?:ql)?$/).optional(),
  DATABASE_PASSWORD: z.string().optional(),
  DATABASE_MIGRATION_PASSWORD: z.string().optional(),
  EVENTSTORE_URL: z.string().regex(ESDB).optional(),
  SMTP_URL: z.union([z.literal('catch'), address(/^smtps?$/)]).optional(),
  PUBLIC_URL: origin.optional(),
  SESSION_SECRET: z.string().min(32).optional(),
  KEY_ENCRYPTION_KEY: key.optional(),
  KEY_ENCRYPTION_KEY_PREVIOUS: key.optional(),
  LOG_SIGNING_KEY: key.optional(),
  LOG_WITNESSES: z
    .string()
    .transform((list, issue) => {
      const witnesses = parseWitnesses(list);
      if (witnesses === undefined) issue.addIssue({ code: 'custom', message: 'No witnesses' });
      return witnesses ?? z.NEVER;
    })
    .optional(),
  LOG_WITNESS_QUORUM: wholeNumber.default(0),
  WITNESS_PORT: wholeNumber.pipe(z.int().max(65_535)).default(3_100),
  WITNESS_DIR: z.string().default('.witness'),
  KEY_ROTATION_DAYS: wholeNumber.pipe(z.int().min(1).max(3_650)).default(30),
  ADMIN_EMAIL: email.optional(),
  ADMIN_PASSWORD: password.optional(),
  AUDITOR_EMAIL: email.optional(),
  AUDITOR_PASSWORD: password.optional(),
  GOOGLE_CLIENT_ID: z.string().regex(/^\S+$/).optional(),
  GOOGLE_JWKS_URL: address(/^https?$/).default('https://www.googleapis.com/oauth2/v3/certs'),
  GOOGLE_ISSUER: address(/^https?$/).default('https://accounts.google.com'),
  RAZORPAY_KEY_ID: z.string().regex(PRINTED).optional(),
  RAZORPAY_KEY_SECRET: z.string().regex(PRINTED).optional(),
  RAZORPAY_WEBHOOK_SECRET: z.string().regex(PRINTED).optional(),
  RAZORPAY_URL: origin.refine((url) => url.startsWith('https:') || ofThisMachine(url)).optional(),
  PAYMENT_REMINDER_MINUTES: minutes.default(60),
  PAYMENT_WINDOW_MINUTES: minutes.default(1_440),
  SELLER_NAME: z.string().trim().min(1).max(200).default('RUHANI'),
  SELLER_ADDRESS: z.string().trim().min(1).max(500).default('Kannauj 209725, India'),
  SELLER_STATE: z
    .string()
    .default('Uttar Pradesh')
    .transform((text, issue) => {
      const state = stateNamed(text);
      if (state === undefined) issue.addIssue({ code: 'custom', message: 'No state' });
      return state ?? z.NEVER;
    }),
  SELLER_GSTIN: z.string().regex(GSTIN).optional(),
  LOG_LEVEL: z.enum(LEVELS).default('info'),
  RATE_LIMIT_FACTOR: z
    .string()
    .regex(/^\d{1,6}(?:\.\d{1,6})?$/)
    .transform(Number)
    .pipe(z.number().positive())
    .default(1),
  TRUST_PROXY: wholeNumber.pipe(z.int().max(9)).default(0),
  SEED: z.enum(['catalogue', 'none']).default('catalogue'),
  HERO: z.enum(heroes).optional(),
  OTEL_SDK_DISABLED: z.enum(['true', 'false']).default('false'),
  OTEL_SERVICE_NAME: z.string().default('ruhani'),
  OTEL_TRACES_EXPORTER: z.enum(['otlp', 'console', 'none']).optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: address(/^https?$/).optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: address(/^https?$/).optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: z.enum(OTLP).optional(),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: z.enum(OTLP).optional(),
});
type Environment = z.infer<typeof Environment>;

const TAKES = {
  PORT: 'a whole number from 0 to 65535; 0 takes any free port',
  HOST: 'an address of this machine or its name, such as 127.0.0.1',
  OPS_PORT: 'a whole number from 0 to 65535, another one than PORT',
  WORKERS: 'auto for one process a core, or how many processes answer requests, 1 to 256',
  DATA_DIR: 'a directory that can be written',
  DATABASE_URL: 'postgres://user:password@host:port/database',
  DATABASE_MIGRATION_URL: 'postgres://owner:password@host:port/database, the database of DATABASE_URL as the role that owns its tables',
  DATABASE_READ_URL: 'postgres://user:password@host:port/database, of a replica of DATABASE_URL',
  DATABASE_PASSWORD: 'the password for DATABASE_URL and DATABASE_READ_URL, as it is',
  DATABASE_MIGRATION_PASSWORD: 'the password for DATABASE_MIGRATION_URL, as it is',
  EVENTSTORE_URL: 'esdb://host:port?tls=…, the connection string of an EventStoreDB, with all nodes of a cluster',
  SMTP_URL: 'smtp://user:password@host:port, smtps://…, or catch for the mail catcher in the process',
  PUBLIC_URL: 'the address that shoppers see, http:// or https:// and a host, without a path',
  SESSION_SECRET: 'at least 32 characters that nobody can guess',
  KEY_ENCRYPTION_KEY: '32 random bytes as base64: openssl rand -base64 32',
  KEY_ENCRYPTION_KEY_PREVIOUS: 'the KEY_ENCRYPTION_KEY from before, 32 bytes as base64',
  LOG_SIGNING_KEY: 'the 32 bytes of an Ed25519 seed as base64: openssl rand -base64 32',
  LOG_WITNESSES: 'a comma list of witnesses, each the vkey and the address that it prints at its start: name+id+key http://host:port',
  LOG_WITNESS_QUORUM: 'a whole number, at most 4, nor more than the witnesses in LOG_WITNESSES',
  WITNESS_PORT: 'a whole number from 0 to 65535; 0 takes any free port',
  WITNESS_DIR: 'a directory that can be written',
  KEY_ROTATION_DAYS: 'a whole number of days, 1 to 3650',
  ADMIN_EMAIL: 'an e-mail address',
  ADMIN_PASSWORD: '8 to 128 characters',
  AUDITOR_EMAIL: 'an e-mail address',
  AUDITOR_PASSWORD: '8 to 128 characters',
  GOOGLE_CLIENT_ID: 'the client id that Google gave the shop, without spaces',
  GOOGLE_JWKS_URL: 'the http:// or https:// address of the keys that sign ID tokens',
  GOOGLE_ISSUER: 'the http:// or https:// address that ID tokens name as their issuer',
  RAZORPAY_KEY_ID: 'the key id that Razorpay gave the shop, without spaces',
  RAZORPAY_KEY_SECRET: 'the secret of RAZORPAY_KEY_ID, without spaces',
  RAZORPAY_WEBHOOK_SECRET: 'the secret that was given to Razorpay for its webhook, without spaces',
  RAZORPAY_URL: 'https:// and a host without a path, or http:// on this machine',
  PAYMENT_REMINDER_MINUTES: 'a number of minutes, 0 or more, such as 60 or 0.5',
  PAYMENT_WINDOW_MINUTES: 'a number of minutes, 0 or more, such as 1440 or 0.5',
  SELLER_NAME: 'the name of the seller on invoices, at most 200 characters',
  SELLER_ADDRESS: 'the address of the seller on invoices, at most 500 characters',
  SELLER_STATE: 'a state or union territory of India, such as Uttar Pradesh',
  SELLER_GSTIN: 'the 15 characters of the GSTIN of the seller, in capital letters',
  LOG_LEVEL: `one of ${LEVELS.join(', ')}`,
  RATE_LIMIT_FACTOR: 'a number greater than 0, such as 1 or 0.5',
  TRUST_PROXY: 'how many proxies stand in front of the shop, 0 to 9: as many addresses of X-Forwarded-For, from its end, are believed',
  SEED: 'catalogue, or none',
  HERO: 'center, or split',
  OTEL_SDK_DISABLED: 'true, or false',
  OTEL_SERVICE_NAME: 'the name of the shop in its traces',
  OTEL_TRACES_EXPORTER: 'otlp, console, or none',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'the http:// or https:// address of an OpenTelemetry collector',
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'the http:// or https:// address that traces are sent to',
  OTEL_EXPORTER_OTLP_PROTOCOL: `one of ${OTLP.join(', ')}`,
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: `one of ${OTLP.join(', ')}`,
} satisfies Record<keyof Environment, string>;

/** The account is made at the start. Without a password it gets a random one in embedded mode, and otherwise there is no account. */
export type AccountConfig = { readonly email: string; readonly password?: string | undefined };

const account = (email: string | undefined, secret: string | undefined): AccountConfig | undefined =>
  email === undefined ? undefined : { email, password: secret };

const parseRazorpay = (given: Environment) => {
  const { RAZORPAY_KEY_ID: keyId, RAZORPAY_KEY_SECRET: keySecret, RAZORPAY_WEBHOOK_SECRET: webhookSecret, RAZORPAY_URL: url } = given;
  if (keyId !== undefined && keySecret !== undefined && webhookSecret !== undefined) return { keyId, keySecret, webhookSecret, url };
  if (keyId !== undefined || keySecret !== undefined || webhookSecret !== undefined)
    throw new CannotStart('RAZORPAY_KEY_ID, RAZORPAY_KEY_SECRET and RAZORPAY_WEBHOOK_SECRET belong together: set all, or none.');
  if (url !== undefined) throw new CannotStart('RAZORPAY_URL is where RAZORPAY_KEY_ID is sent: set that as well, or neither.');
  return undefined;
};

/** Behind a public address the catcher would keep the codes and links that people wait for, so it must be asked for. */
const parseSmtpUrl = ({ SMTP_URL: url, PUBLIC_URL: publicUrl }: Environment): string | undefined => {
  if (url === undefined && publicUrl !== undefined && !isLoopbackHost(new URL(publicUrl).hostname))
    throw new CannotStart(
      'PUBLIC_URL is not of this machine, so SMTP_URL is needed: set the mail server, or catch to keep mails in the shop.',
    );
  return url === 'catch' ? undefined : url;
};

const parseWitnessPolicy = ({ LOG_WITNESSES: witnesses = [], LOG_WITNESS_QUORUM: quorum }: Environment): WitnessPolicy => {
  if (witnesses.length > MOST_WITNESSES)
    throw new CannotStart(`LOG_WITNESSES names ${witnesses.length} witnesses: name at most ${MOST_WITNESSES}.`);
  const repeated = findRepeated(witnesses);
  if (repeated) throw new CannotStart(`LOG_WITNESSES names the key of ${repeated.key.name} twice: name each witness once.`);
  if (quorum > MOST_NEEDED)
    throw new CannotStart(
      `LOG_WITNESS_QUORUM is ${quorum}: ask for at most ${MOST_NEEDED}, because the QR code on an invoice has no room for more signatures.`,
    );
  if (quorum > witnesses.length)
    throw new CannotStart(
      `LOG_WITNESS_QUORUM is ${quorum}, and LOG_WITNESSES names ${witnesses.length}: name more witnesses, or lower the quorum.`,
    );
  return { witnesses, quorum };
};

const parseSeller = (given: Environment): Seller => {
  const { SELLER_NAME: name, SELLER_ADDRESS: address, SELLER_STATE: state, SELLER_GSTIN: gstin } = given;
  if (gstin === undefined) return { name, address, state };
  if (gstin.startsWith(stateCode(state))) return { name, address, state, gstin };
  throw new CannotStart(
    `SELLER_GSTIN begins with the code of the seller's state, which is ${stateCode(state)} for ${state}: one of both is wrong.`,
  );
};

/** Returns a configuration when a standard variable of OpenTelemetry names a collector and none turns tracing off. */
const parseTraces = (given: Environment): TracesConfig | undefined => {
  const { OTEL_TRACES_EXPORTER: exporter, OTEL_SERVICE_NAME: serviceName } = given;
  const isWanted = exporter ?? given.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? given.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (isWanted === undefined || exporter === 'none' || given.OTEL_SDK_DISABLED === 'true') return undefined;
  return { exporter: exporter ?? 'otlp', serviceName };
};

const isVariable = (name: PropertyKey | undefined): name is keyof Environment => typeof name === 'string' && name in TAKES;

/** Returns the variable's value, or the text of the file that `<name>_FILE` names, as secrets of containers are given. */
const findValue = (env: NodeJS.ProcessEnv, name: string): string | undefined => {
  const file = env[`${name}_FILE`];
  if (!file) return env[name];
  if (env[name]) throw new CannotStart(`${name} and ${name}_FILE are both set: set one of them.`);
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    throw new CannotStart(`${name}_FILE names a file that cannot be read (${getErrorCode(error)}).`);
  }
};

/** Puts a password into a connection string, with those of its characters encoded that mean something else there. */
const addPassword = (connectionString: string | undefined, password: string | undefined): string | undefined => {
  if (connectionString === undefined || password === undefined) return connectionString;
  const url = new URL(connectionString);
  url.password = encodeURIComponent(password);
  return url.href;
};

const read = (env: NodeJS.ProcessEnv): Environment => {
  const values = Object.keys(TAKES).map((name) => [name, findValue(env, name)] as const);
  const given = Object.fromEntries(values.filter(([, value]) => value));
  const parsed = Environment.safeParse(given);
  if (parsed.success) return parsed.data;
  const wrong = parsed.error.issues[0]?.path[0];
  // The value is not shown, because it may be a secret that was put into the wrong variable.
  throw new CannotStart(isVariable(wrong) ? `${wrong} has a wrong value. It takes ${TAKES[wrong]}.` : parsed.error.message);
};

/** Throws `CannotStart`, which names the wrong variable and the values that it takes. */
export const readConfig = (env: NodeJS.ProcessEnv) => {
  const given = read(env);
  if ((given.AUDITOR_EMAIL === undefined) !== (given.AUDITOR_PASSWORD === undefined))
    throw new CannotStart('AUDITOR_EMAIL and AUDITOR_PASSWORD belong together: set both, or neither.');
  const isEmbedded = given.DATABASE_URL === undefined;
  if (isEmbedded && given.DATABASE_READ_URL !== undefined)
    throw new CannotStart('DATABASE_READ_URL is a replica of DATABASE_URL: set that as well, or neither.');
  if (isEmbedded && given.DATABASE_MIGRATION_URL !== undefined)
    throw new CannotStart('DATABASE_MIGRATION_URL is the owner of the database of DATABASE_URL: set that as well, or neither.');
  const adminEmail = given.ADMIN_EMAIL ?? (isEmbedded || given.ADMIN_PASSWORD !== undefined ? 'admin@ruhani.example' : undefined);
  return {
    host: given.HOST,
    /** 0 means any free port. */
    port: given.PORT,
    /** The port for health and metrics, open to everybody who can connect. Without it they are at `port`, in full for this machine only. */
    opsPort: given.OPS_PORT,
    /** The number of processes that answer requests on one port. */
    workers: given.WORKERS,
    dataDir: path.resolve(given.DATA_DIR),
    /** If it is missing, Postgres is embedded in `dataDir`. */
    databaseUrl: addPassword(given.DATABASE_URL, given.DATABASE_PASSWORD),
    /** The same database as its owner, who migrates it; by default `databaseUrl`. */
    databaseMigrationUrl: addPassword(given.DATABASE_MIGRATION_URL, given.DATABASE_MIGRATION_PASSWORD),
    /** A replica for queries whose position it has reached. */
    databaseReadUrl: addPassword(given.DATABASE_READ_URL, given.DATABASE_PASSWORD),
    /** If it is missing, the log is in Postgres. */
    eventStoreUrl: given.EVENTSTORE_URL,
    /** If it is missing, mails are sent to a catcher in the process. */
    smtpUrl: parseSmtpUrl(given),
    /** The address that shoppers use, if it is not the one on which the shop listens: scheme, host and port. */
    publicUrl: given.PUBLIC_URL,
    /** If it is missing, a secret is made and kept in `dataDir`. */
    sessionSecret: given.SESSION_SECRET,
    /** 32 bytes that wrap the keys of personal data; if it is missing, a key is made and kept in `dataDir`. */
    keyEncryptionKey: given.KEY_ENCRYPTION_KEY,
    /** The former key is set during a rotation. */
    previousKeyEncryptionKey: given.KEY_ENCRYPTION_KEY_PREVIOUS,
    /** 32 bytes that sign the log; if they are missing, a key is made and kept in `dataDir`. */
    logSigningKey: given.LOG_SIGNING_KEY,
    /** The witnesses that cosign the log, and how many of them must have signed a checkpoint before it is published. */
    witnessPolicy: parseWitnessPolicy(given),
    /** For `npm run witness`. */
    witness: { port: given.WITNESS_PORT, dir: path.resolve(given.WITNESS_DIR) },
    /** After an erasure a generated key that is older than so many days is replaced. */
    keyRotationDays: given.KEY_ROTATION_DAYS,
    admin: account(adminEmail, given.ADMIN_PASSWORD),
    auditor: account(given.AUDITOR_EMAIL, given.AUDITOR_PASSWORD),
    google: given.GOOGLE_CLIENT_ID
      ? { clientId: given.GOOGLE_CLIENT_ID, jwksUrl: given.GOOGLE_JWKS_URL, issuer: given.GOOGLE_ISSUER }
      : undefined,
    payments: {
      razorpay: parseRazorpay(given),
      /** A reminder is mailed this long after placing if nothing was paid. */
      reminderMinutes: given.PAYMENT_REMINDER_MINUTES,
      /** The order is cancelled this long after placing if nothing was paid. */
      windowMinutes: given.PAYMENT_WINDOW_MINUTES,
    },
    seller: parseSeller(given),
    logLevel: given.LOG_LEVEL,
    rateLimitFactor: given.RATE_LIMIT_FACTOR,
    /** This many trusted proxies are in front of the shop. */
    trustedProxies: given.TRUST_PROXY,
    seed: given.SEED,
    /** If it is missing, the site content decides. */
    hero: given.HERO,
    traces: parseTraces(given),
  };
};

export type Config = Readonly<ReturnType<typeof readConfig>>;
