import { useState } from 'react';

type WithId = { readonly _id: string };
type Rows = { readonly rows: readonly WithId[]; readonly outdated: boolean };

const ALWAYS = (): boolean => true;

/**
 * Returns the id of the row that was first when the answer to this question came. Rows that come above it do not change it. Once it has left
 * the list, the row that is first then follows, if `mayFollow` allows that.
 */
export const useFirst = ({ rows, outdated }: Rows, question: string, mayFollow: (gone: string) => boolean = ALWAYS): string | undefined => {
  const [kept, keep] = useState<{ readonly question: string; readonly id: string }>();
  const isKept =
    kept !== undefined && (outdated || kept.question === question) && (rows.some(({ _id }) => _id === kept.id) || !mayFollow(kept.id));
  const first = isKept ? kept.id : rows[0]?._id;
  if (first !== undefined && !isKept && !outdated) keep({ question, id: first });
  return first;
};

/** Returns the last item that was there under this id, while there is none. */
export const useLast = <Item>(item: Item | undefined, id: string | undefined): Item | undefined => {
  const [last, setLast] = useState({ id, item });
  if (last.id !== id || (item !== undefined && item !== last.item)) setLast({ id, item });
  return item ?? (last.id === id ? last.item : undefined);
};
