import { Search } from 'lucide-react';
import { useEffect, useEffectEvent, useId, useState } from 'react';

const DEBOUNCE_MS = 300;

type SearchBoxProps = {
  /** The search text in the URL. */
  readonly q: string;
  readonly onSearch: (q: string) => void;
};

/** Searches 300 ms after the last keystroke, or at once on Enter. */
export const SearchBox = ({ q, onSearch }: SearchBoxProps) => {
  const id = useId();
  const [text, setText] = useState(q);
  const [known, setKnown] = useState(q);
  const [asked, setAsked] = useState(q);

  if (q !== known) {
    setKnown(q);
    // The URL's text changed through Back, a link or a chip. Our own change comes back here too and must not overwrite what was typed
    // since.
    if (q !== asked) {
      setAsked(q);
      setText(q);
    }
  }

  const search = (value: string): void => {
    if (value === q) return;
    setAsked(value);
    onSearch(value);
  };
  const searchRested = useEffectEvent(search);
  useEffect(() => {
    const timer = setTimeout(() => searchRested(text.trim()), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [text]);

  return (
    <search className="relative w-full sm:max-w-sm">
      <Search className="pointer-events-none absolute top-1/2 left-4 size-5 -translate-y-1/2 text-clove" strokeWidth={1.5} />
      <label htmlFor={id} className="sr-only">
        Search products
      </label>
      <input
        id={id}
        type="search"
        enterKeyHint="search"
        autoComplete="off"
        maxLength={100}
        placeholder="Search products..."
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={({ key }) => key === 'Enter' && search(text.trim())}
        className="h-12 w-full rounded-xs border border-teak bg-white pr-4 pl-12 placeholder:text-clove/80 hover:border-ink [&::-webkit-search-cancel-button]:hidden"
      />
    </search>
  );
};
