import type { Cancellation, Category, LogPosition, Recorded } from '#domain/event-store.ts';

import type { Reaction } from '../reactions/reaction.ts';
import { runReaction } from '../reactions/runner.ts';
import { PAGE, restUntilNews, type Following } from './following.ts';
import type { Wire } from './wire.ts';

/** The methods of something, each at the other end of a wire. */
const wired = <Port extends object>(port: Port, name: string, wire: Wire): Port =>
  new Proxy(port, {
    get: (target, method) => {
      const value: unknown = Reflect.get(target, method);
      if (typeof value !== 'function') return value;
      return (...asked: unknown[]): Promise<unknown> => wire(`${String(method)} ${name}`, () => Reflect.apply(value, target, asked));
    },
  });

/** The log as it comes, later than it could. */
const followed = (following: Following, name: string) =>
  async function* (after: LogPosition, categories: readonly Category[], until: Cancellation): AsyncGenerator<readonly Recorded[]> {
    const { world, page: readPage } = following;
    for (let position = after; !until.aborted;) {
      const heard = world.bell.heard(categories);
      const page = await readPage(position, PAGE, categories);
      const news = page.filter((event) => event.position > position);
      position = news.at(-1)?.position ?? position;
      if (news.length > 0) yield news;
      else await restUntilNews(following, { name, categories }, heard);
    }
  };

/** One process's part in a reaction. */
export const reactIn = (following: Following, reaction: Reaction): Promise<void> => {
  const { world, life, parts } = following;
  const { name } = reaction;
  const runner = {
    storage: wired(world.tables.reactions, name, parts.at.wire),
    feed: { ...parts.store, follow: followed(following, name) },
    log: world.log,
    clock: world.scheduler.clockOf(life),
    holder: `${life.name} ${world.newId()}`,
  };
  return runReaction(reaction, runner, new AbortController().signal);
};
