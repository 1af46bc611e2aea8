import { Search } from 'lucide-react';
import { useEffect, useRef, type KeyboardEventHandler } from 'react';

type SearchInputProps = {
  readonly value: string;
  /** How the search goes, read out when it changes. */
  readonly note: string;
  readonly listId: string;
  readonly expanded: boolean;
  /** The option that the arrow keys have reached: the focus stays in the box. */
  readonly activeId: string | undefined;
  readonly onChange: (typed: string) => void;
  readonly onKeyDown: KeyboardEventHandler;
};

export const SearchInput = ({ value, note, listId, expanded, activeId, onChange, onKeyDown }: SearchInputProps) => {
  const box = useRef<HTMLInputElement>(null);
  // The shopper pressed the search icon in order to type.
  useEffect(() => box.current?.focus(), []);
  return (
    <div className="relative">
      <Search className="pointer-events-none absolute top-1/2 left-4 size-5 -translate-y-1/2 text-clove" strokeWidth={1.5} />
      <input
        ref={box}
        role="combobox"
        aria-label="Search products"
        aria-autocomplete="list"
        aria-expanded={expanded}
        aria-controls={listId}
        aria-activedescendant={activeId}
        autoComplete="off"
        enterKeyHint="search"
        placeholder="Search products..."
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={onKeyDown}
        className="h-13 w-full rounded-xs border border-oxblood bg-white pr-28 pl-12 text-[1.0625rem] shadow-[inset_0_0_0_1px_var(--color-oxblood)] outline-none placeholder:text-clove/80"
      />
      <output className="absolute top-1/2 right-4 -translate-y-1/2 text-xs text-clove">{note}</output>
    </div>
  );
};
