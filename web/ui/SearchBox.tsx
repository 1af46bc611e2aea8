import { useEffect, useEffectEvent, useState } from 'react';
import { SEARCH_AFTER_MS } from '../lib/use-debounced.ts';
import { cx } from './cx.ts';
import { SearchInput } from './SearchInput.tsx';

type SearchBoxProps = {
  readonly label: string;
  readonly placeholder?: string;
  readonly q: string;
  readonly onSearch: (q: string) => void;
  readonly className: string;
};

/**
 * Searches a list 300 ms after the last keystroke. It searches at once on Enter, when it is emptied, and when it loses the focus: a search
 * started after the click that takes the focus would undo what the click chose.
 */
export const SearchBox = ({ label, placeholder = label, q, onSearch, className }: SearchBoxProps) => {
  const [text, setText] = useState(q);
  const [known, setKnown] = useState(q);
  const [asked, setAsked] = useState(q);

  if (q !== known) {
    setKnown(q);
    // The text in the URL changed, through Back, a link or a chip, or because `onSearch` changed it. The latter must not overwrite what was
    // typed since.
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
