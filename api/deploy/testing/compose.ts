import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

const ROOT = path.resolve(import.meta.dirname, '../../..');

const Condition = z.enum(['service_healthy', 'service_started', 'service_completed_successfully']);
const Texts = z.array(z.string());

/** The schema is the part of the Compose Specification that the shop uses. A misspelt key is refused. */
const Service = z.strictObject({
  image: z.string().regex(/^[\w./-]+(?::[\w.-]+)?$/),
  pull_policy: z.enum(['build', 'never']).optional(),
  build: z.strictObject({ context: z.string(), dockerfile: z.string(), args: z.record(z.string(), z.string()), secrets: Texts }).optional(),
  profiles: Texts.optional(),
  hostname: z.string().optional(),
  user: z.string().optional(),
  command: Texts.optional(),
  restart: z.enum(['unless-stopped', 'no']),
  init: z.literal('true').optional(),
  read_only: z.literal('true'),
  cap_drop: Texts,
  cap_add: Texts.optional(),
  security_opt: Texts,
  secrets: Texts.optional(),
  logging: z.strictObject({ driver: z.string(), options: z.record(z.string(), z.string()) }),
  tmpfs: Texts.optional(),
  shm_size: z.string().optional(),
  stop_grace_period: z
    .string()
    .regex(/^\d+s$/)
    .optional(),
  ports: z.array(z.string().regex(/^127\.0\.0\.1:\d+:\d+$/)).optional(),
  environment: z.record(z.string().regex(/^[A-Z_]+$/), z.string()).optional(),
  volumes: z.array(z.string().regex(/^[\w./-]+:\/[\w./-]+(?::ro)?$/)).default([]),
  depends_on: z.record(z.string(), z.strictObject({ condition: Condition })).optional(),
  healthcheck: z.union([
    z.strictObject({ disable: z.literal('true') }),
    z.strictObject({
      test: z
        .array(z.string())
        .min(2)
        .refine(([first]) => first === 'CMD' || first === 'CMD-SHELL'),
      interval: z.string().regex(/^\d+s$/),
      timeout: z.string().regex(/^\d+s$/),
      retries: z.string().regex(/^\d+$/),
      start_period: z
        .string()
        .regex(/^\d+s$/)
        .optional(),
    }),
  ]),
  deploy: z.strictObject({
    resources: z.strictObject({
      limits: z.strictObject({ cpus: z.string().regex(/^\d+\.\d+$/), memory: z.string().regex(/^\d+[MG]$/) }),
    }),
  }),
});
const Compose = z.object({
  name: z.string(),
  services: z.record(z.string(), Service),
  volumes: z.record(z.string(), z.literal('')),
  secrets: z.record(z.string(), z.strictObject({ file: z.string() })),
});

type ComposeFile = z.infer<typeof Compose>;
type ComposeService = z.infer<typeof Service>;
type Variables = Readonly<Record<string, string>>;

export const inRoot = (file: string): Promise<string> => readFile(path.join(ROOT, file), 'utf8');

/** Reads `docker-compose.yml`, whose values are all texts, and checks it against the schema. */
export const readCompose = async (): Promise<ComposeFile> =>
  Compose.parse(parse(await inRoot('docker-compose.yml'), { schema: 'failsafe', merge: true }));

/** Replaces `${NAME}`, `${NAME:-default}` and `${NAME:?why it is needed}` as Compose does. */
const fillIn = (text: string, given: Variables): string =>
  text.replaceAll(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name: string, kind?: string, otherwise = '') => {
    const value = given[name];
    if (value) return value;
    if (kind !== '-') throw new Error(`${name} is needed: ${otherwise}`);
    return otherwise;
  });

const SECRETS = '/run/secrets/';

/**
 * Returns the environment of a service's container when Compose is run with these variables: an empty one is passed on, if it is given, and
 * a secret's file is replaced by the secret. Throws when the container does not get that secret.
 */
export const getEnvironment = (service: ComposeService | undefined, given: Variables, secrets: Variables = {}): Record<string, string> => {
  const getSecret = (file: string): string => {
    const name = file.slice(SECRETS.length);
    if (!service?.secrets?.includes(name)) throw new Error(`The service does not get the secret ${name}`);
    return secrets[name] ?? '';
  };
  const variables = Object.entries(service?.environment ?? {}).map(([name, text]): [string, string] => {
    if (text.startsWith(SECRETS)) return [name.replace(/_FILE$/, ''), getSecret(text)];
    return [name, text === '' ? (given[name] ?? '') : fillIn(text, given)];
  });
  return Object.fromEntries(variables);
};
