import type { Category, LogPosition, Recorded } from '#domain/event-store.ts';
import type { Bell } from './bell.ts';

type ReadPage = (after: LogPosition, limit: number, categories: readonly Category[]) => Promise<readonly Recorded[]>;

/**
 * For followers, of which a process has several: those who ask for the same page between two rings of the bell share one read, and with it
 * what each event costs to be opened. A read that began before a ring is never the answer to who asks after it, since it may have missed
 * what the ring tells of.
 */
export const sharedPages = (readPage: ReadPage, bell: Pick<Bell, 'heard'>): ReadPage => {
  const underWay = new Map<string, ReturnType<ReadPage>>();
  return (after, limit, categories) => {
    const asked = [bell.heard(categories), after, limit, ...categories].join(' ');
    const known = underWay.get(asked);
    if (known) return known;
    const page = readPage(after, limit, categories).finally(() => underWay.delete(asked));
    underWay.set(asked, page);
    return page;
  };
};
