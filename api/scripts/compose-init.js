import './root.js';
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { say } from './say.js';

// `npm run compose:init`: makes what docker-compose.yml reads and what no repository may hold. Nothing that is there already is changed.
const newPassword = () => randomBytes(32).toString('base64url');

/** The image's user `node`. */
const USER = 1000;

// Each is taken from the variable of its name, such as POSTGRES_PASSWORD, if that is set: for a shop that has passwords already.
const SECRETS = {
  'postgres-password': newPassword,
  'shop-password': newPassword,
  'session-secret': newPassword,
  'admin-password': newPassword,
  'smtp-url': () => 'smtp://mailpit:1025',
  'key-encryption-key': () => '',
  'key-encryption-key-previous': () => '',
  'log-signing-key': () => '',
  'auditor-password': () => '',
  'razorpay-key-secret': () => '',
  'razorpay-webhook-secret': () => '',
  'build-certificate': () => '',
};

/** Every setting that docker-compose.yml passes on and does not fill in itself. */
const settingsOf = (compose) => [
  ...new Set([...compose.matchAll(/^ {4}([A-Z_]+):$|\$\{([A-Z_]+)/gm)].map(([, passedOn, filledIn]) => passedOn ?? filledIn)),
];

const makeSecrets = () => {
  // Only its owner gets into the folder. In it the files can be read by all, because the users in the containers are others.
  mkdirSync('.secrets', { recursive: true, mode: 0o700 });
  for (const [name, make] of Object.entries(SECRETS)) {
    const file = `.secrets/${name}`;
    if (existsSync(file)) continue;
    writeFileSync(file, process.env[name.toUpperCase().replaceAll('-', '_')] ?? make());
    chmodSync(file, 0o644);
  }
};

const makeSettings = () => {
  if (existsSync('.env')) return;
  const lines = settingsOf(readFileSync('docker-compose.yml', 'utf8')).map((name) => `${name}=${process.env[name] ?? ''}`);
  const head =
    '# Settings of the shop in containers: api/deploy/configuration.md. An empty one counts as not set. Secrets are in .secrets.';
  writeFileSync('.env', `${[head, ...lines].join('\n')}\n`, { mode: 0o600 });
};

const makeBackups = () => {
  mkdirSync('.backups', { recursive: true, mode: 0o700 });
  if (process.getuid?.() === 0) chownSync('.backups', USER, USER);
  else if (process.getuid?.() !== USER) say(`Backups are written by user ${USER} of the image: sudo chown ${USER}:${USER} .backups`);
};

makeSecrets();
makeSettings();
makeBackups();
say('Settings are in .env, secrets in .secrets, backups will be in .backups. Start the shop with: docker compose up --wait');
say('The admin is admin@ruhani.example, with the password in .secrets/admin-password');
