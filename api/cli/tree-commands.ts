import { START, type LogPosition } from '#domain/event-store.ts';
import { isRewound } from '#projections/follower/log-rewind.ts';
import { measureLag, MOST_LAG_COUNTED, type ReadModelStatus } from '#projections/storage/status.ts';

import { streamCategories } from '../event-store/stored-event.ts';
import type { Shop } from '../shop.ts';
import { rebuildLogTree, verifyLogTree } from '../transparency/log-tree.ts';
import { findTreeStart, readGenerations } from '../transparency/signed-log.ts';
import { TreeRows } from '../transparency/tree-rows.ts';
import { countText } from './progress-lines.ts';

/** The name of the log's tree among the read models. */
export const TREE = 'log-tree';

type Options = { readonly signal: AbortSignal; readonly onProgress: (events: number, position: LogPosition) => void };

/** The commands of `npm run projections` for the tree of the log. */
export type TreeCommands = ReturnType<typeof treeCommands>;

export const treeCommands = ({ store, read, db }: Pick<Shop, 'store' | 'read' | 'db'>) => {
  const trees = new TreeRows(read.pool);
  const parts = { store, trees };
  const findStart = async () => findTreeStart(await readGenerations(db));
  return {
    status: async (lagText: (lag: ReadModelStatus['lag']) => string): Promise<{ line: string; isTroubled: boolean }> => {
      const live = await trees.reading.findLive();
      const published = (await readGenerations(db)).at(-1)?.published;
      const position = live?.place.position ?? START;
      const rewound = live !== undefined && (await isRewound(store, live.place));
      const lag = await measureLag(store, { categories: streamCategories }, position, new Date(), MOST_LAG_COUNTED);
      const parts = [
        TREE,
        rewound ? 'LOG REWOUND, rebuild it' : live ? `at ${position}` : 'not built yet',
        `lag ${lagText(lag)}`,
        published
          ? `${countText(published.size)} of ${countText(live?.size ?? 0)} events signed as ${published.origin}`
          : 'nothing signed yet',
        live?.holder ? `applied by ${live.holder}` : 'no process active',
      ];
      return { line: parts.join('; '), isTroubled: rewound };
    },

    /** Returns the size of the tree. */
    rebuild: async (options: Options): Promise<number> => rebuildLogTree(parts, await findStart(), options),

    verify: async (options: Options) => verifyLogTree(parts, await findStart(), options),
  };
};
