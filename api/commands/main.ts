import { readConfig } from '../config.ts';
import { CannotStart } from '../infrastructure/cannot-start.ts';
import { openLogger } from '../infrastructure/logger.ts';
import { stopSignal } from '../infrastructure/stop-signal.ts';
import { openShop, type Shop } from '../open-shop.ts';
import { projectionsCommand } from './projections.ts';

type Command = (args: readonly string[], shop: Shop, until: AbortSignal) => Promise<number>;

const out = (line: string): void => console.log(line);

const COMMANDS: Readonly<Record<string, Command>> = {
  projections: (args, { store, read }, until) => projectionsCommand(args, { feed: store, db: read, out, until }),
};

/** A command on the shop's own data, beside the running shop or without it. Answers with the exit code. */
const main = async ([name = '', ...args]: readonly string[]): Promise<number> => {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) throw new CannotStart(`There is no command ${name}. There are: ${Object.keys(COMMANDS).join(', ')}.`);
  const until = stopSignal();
  const config = readConfig(process.env);
  // What the command has to say is its output; only trouble is logged.
  const shop = await openShop(config, openLogger('warn'));
  try {
    return await command(args, shop, until);
  } finally {
    await shop.close();
  }
};

main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error instanceof CannotStart ? error.message : error);
    process.exit(1);
  },
);
