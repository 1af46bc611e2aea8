import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

const ROOT = path.resolve(import.meta.dirname, '../../..');

const Condition = z.enum(['service_healthy', 'service_started']);
const Texts = z.array(z.string());

/** The schema is the part of the Compose Specification that the shop uses. A misspelt key is refused. */
const Service = z.strictObject({
  image: z.string().regex(/^[\w./-]+(?::[\w.-]+)?$/),
  build: z.strictObject({ context: z.string(), dockerfile: z.string() }).optional(),
  command: Texts.optional(),
  restart: z.literal('unless-stopped'),
  init: z.literal('true').optional(),
  read_only: z.literal('true').optional(),
  cap_drop: Texts.optional(),
  security_opt: Texts.optional(),
  tmpfs: Texts.optional(),
  shm_size: z.string().optional(),
  stop_grace_period: z
    .string()
    .regex(/^\d+s$/)
    .optional(),
  ports: z.array(z.string().regex(/^127\.0\.0\.1:\d+:\d+$/)).optional(),
  environment: z.record(z.string().regex(/^[A-Z_]+$/), z.string()).optional(),
  volumes: z.array(z.string().regex(/^[\w./-]+:\/[\w./-]+(?::ro)?$/)),
  depends_on: z.record(z.string(), z.strictObject({ condition: Condition })).optional(),
  healthcheck: z.strictObject({
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
  deploy: z.strictObject({
    resources: z.strictObject({
      limits: z.strictObject({ cpus: z.string().regex(/^\d+\.\d+$/), memory: z.string().regex(/^\d+[MG]$/) }),
    }),
  }),
});
const Compose = z.object({ name: z.string(), services: z.record(z.string(), Service), volumes: z.record(z.string(), z.literal('')) });

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

/** Returns the environment of a service's container when Compose is run with these variables. Throws when one is missing. */
export const getEnvironment = (service: ComposeService | undefined, given: Variables): Record<string, string> =>
  Object.fromEntries(Object.entries(service?.environment ?? {}).map(([name, text]) => [name, fillIn(text, given)]));
