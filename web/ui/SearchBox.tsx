import { useEffect, useEffectEvent, useState } from 'react';
import { SEARCH_AFTER_MS } from '../lib/use-debounced.ts';
import { cx } from './cx.ts';
import { SearchInput } from './SearchInput.tsx';

type SearchBoxProps = {
  readonly label: string;
  readonly placeholder?: string;
  /** The search text in the URL. */
  readonly q: string;
  readonly onSearch: (q: string) => void;
  readonly className: string;
};

/**
 * Searches a list 300 ms after the last keystroke; at once on Enter, when it is emptied, and when it is left: a search that came after
 * the click that followed would undo what it chose.
 */
export const SearchBox = ({ label, placeholder = label, q, onSearch, className }: SearchBoxProps) => {
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
    if (value === asked) return;
    setAsked(value);
    onSearch(value);
  };
  const type = (typed: string): void => {
    setText(typed);
    if (typed === '') search('');
  };
  const searchRested = useEffectEvent(search);
  useEffect(() => {
    const timer = setTimeout(() => searchRested(text.trim()), SEARCH_AFTER_MS);
    return () => clearTimeout(timer);
  }, [text]);

  return (
    <search className={cx('block w-full', className)}>
      <SearchInput
        label={label}
        placeholder={placeholder}
        value={text}
        onType={type}
        onKeyDown={({ key }) => key === 'Enter' && search(text.trim())}
        onBlur={() => search(text.trim())}
        className="h-12"
      />
    </search>
  );
};
