import { officeApi, type Tag } from './admin-api.ts';
import type { Office } from './admin-store.ts';

/** Which questions are answered anew when something of this kind has changed. */
const endpointsOf: Readonly<Record<Tag, readonly (keyof typeof officeApi.endpoints)[]>> = {
  Figures: ['stats'],
  Sales: ['sales'],
  Orders: ['orders'],
  Products: ['products', 'prices'],
  Subscribers: ['subscribers'],
  Messages: ['messages'],
  Health: ['health'],
};

/**
 * Has what is shown of these asked for again. RTK Query asks nothing twice at once, but an answer that is on its way may be older than the
 * news: it is awaited first. What else is told meanwhile is then asked for with it, so that a rush of news is one question after another.
 */
export const newsFor = ({ dispatch, getState }: Office): ((...tags: readonly Tag[]) => void) => {
  const told = new Set<Tag>();

  const underWay = (tag: Tag) => {
    const { queries } = getState()[officeApi.reducerPath];
    return dispatch(officeApi.util.getRunningQueriesThunk()).filter(({ queryCacheKey }) =>
      endpointsOf[tag].some((endpoint) => endpoint === queries[queryCacheKey]?.endpointName),
    );
  };
  const ask = async (tag: Tag): Promise<void> => {
    if (told.has(tag)) return;
    told.add(tag);
    await Promise.allSettled(underWay(tag));
    told.delete(tag);
    dispatch(officeApi.util.invalidateTags([tag]));
  };
  return (...tags) => {
    for (const tag of tags) void ask(tag);
  };
};
