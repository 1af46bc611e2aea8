import { mergeAtSignIn } from '../cart/merge-at-sign-in.ts';
import { openLogger } from '../infrastructure/logger.ts';
import { Opened } from '../infrastructure/opened.ts';
import { openPeople, type People, type PeopleConfig } from '../open-people.ts';
import { openQueries, openShop, type Queries, type Shop } from '../open-shop.ts';
import { openApp, startProjections } from '../parts.ts';
import { freshDatabase } from './database.ts';
import { listening } from './listening.ts';

/** The whole shop in this process, on a database of its own, with nothing in its catalogue. */
export type TestShop = Shop &
  Queries & { readonly people: People; readonly url: string; readonly databaseUrl: string; close(): Promise<void> };

type Options = {
  readonly publicUrl?: string;
  /** Default: a new one. That of another shop makes this one its second instance. */
  readonly databaseUrl?: string;
  /** Default: none, so that only the API answers. */
  readonly webDirectory?: string;
  /** Default: read models are kept up to date. */
  readonly projecting?: boolean;
  /** Default: no first accounts, no third party, a hundred times the limits. */
  readonly people?: Partial<PeopleConfig>;
};

const NOWHERE = '/nowhere';

const PEOPLE: PeopleConfig = {
  admin: undefined,
  auditor: undefined,
  databaseUrl: undefined,
  dataDir: NOWHERE,
  google: undefined,
  rateLimitFactor: 100,
  sessionSecret: 'a secret of thirty-two characters',
  smtpUrl: undefined,
};

/** Opens the shop as `main` does, on a free port. */
export const openTestShop = async (options: Options = {}): Promise<TestShop> => {
  const { publicUrl = 'http://localhost', webDirectory = NOWHERE, projecting = true } = options;
  const log = openLogger('silent');
  const opened = new Opened();
  const databaseUrl = options.databaseUrl ?? (await freshDatabase());
  const where = { dataDir: NOWHERE, databaseUrl, eventStoreUrl: undefined };
  const shop = opened.with(await openShop(where, log), (each) => each.close());
  const queries = opened.with(await openQueries(shop, log), (each) => each.close());
  const place = { publicUrl, onSignedIn: mergeAtSignIn(shop) };
  const people = opened.with(await openPeople(shop, { ...PEOPLE, ...options.people }, place, log), (each) => each.close());
  if (projecting) opened.with(startProjections(shop, log), (each) => each.close());
  const app = await openApp(
    shop,
    queries,
    people,
    { publicUrl, webDirectory, dataDir: options.people?.dataDir ?? NOWHERE, trustedProxies: 0 },
    log,
  );
  const { url } = opened.with(await listening(app.callback()), (each) => each.close());
  return { ...shop, ...queries, people, url, databaseUrl, close: opened.close };
};
