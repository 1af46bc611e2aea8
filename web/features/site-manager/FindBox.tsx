import { Search } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { useDebounced } from '../../lib/use-debounced.ts';

const DEBOUNCE_MS = 300;

type FindBoxProps = {
  /** The accessible name and the placeholder. */
  readonly label: string;
  /** The text that the list is searched for at first. */
  readonly initial: string;
  readonly onFind: (text: string) => void;
};

/** A debounced search field. */
export const FindBox = ({ label, initial, onFind }: FindBoxProps) => {
  const [text, setText] = useState(initial);
  const rested = useDebounced(text.trim(), DEBOUNCE_MS);
  const find = useEffectEvent(onFind);
  useEffect(() => find(rested), [rested]);
  return (
    <search className="relative w-full sm:w-72">
      <Search className="pointer-events-none absolute top-1/2 left-3.5 size-[1.125rem] -translate-y-1/2 text-clove" strokeWidth={1.5} />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        maxLength={100}
        autoComplete="off"
        value={text}
        onChange={({ target }) => setText(target.value)}
        className="h-11 w-full rounded-xs border border-teak bg-white pr-3 pl-10.5 text-[0.9375rem] placeholder:text-clove/80 hover:border-ink [&::-webkit-search-cancel-button]:hidden"
      />
    </search>
  );
};
