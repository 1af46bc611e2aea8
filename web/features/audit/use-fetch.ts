import { useEffect, useState } from 'react';
import { api, messageOf } from '../../lib/http/api.ts';

export type FetchState<Data> =
  { readonly state: 'asking' } | { readonly state: 'here'; readonly data: Data } | { readonly state: 'failed'; readonly message: string };

const LOADING = { state: 'asking' } as const;

/**
 * A GET request that is repeated when `url` changes or `again` is called. Its answer lives in the component, not in the store: what an
 * auditor read is gone when they leave, and other pages do not load this code.
 */
export const useFetch = <Data>(url: string): { readonly answer: FetchState<Data>; readonly again: () => void } => {
  const [round, setRound] = useState(0);
  const asked = `${round} ${url}`;
  const [given, setGiven] = useState<{ readonly asked: string; readonly answer: FetchState<Data> }>({ asked, answer: LOADING });
  useEffect(() => {
    const leaving = new AbortController();
    api.get<Data>(url, { signal: leaving.signal }).then(
      ({ data }) => setGiven({ asked, answer: { state: 'here', data } }),
      (error: unknown) => {
        if (!leaving.signal.aborted) setGiven({ asked, answer: { state: 'failed', message: messageOf(error) } });
      },
    );
    return () => leaving.abort();
  }, [url, asked]);
  return { answer: given.asked === asked ? given.answer : LOADING, again: () => setRound(round + 1) };
};
