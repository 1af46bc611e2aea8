import { Search } from 'lucide-react';
import { type KeyboardEvent, type KeyboardEventHandler, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import type { ProductView } from '#domain/product/view.ts';
import { useProductSearch } from '../../features/catalogue/catalogue-api.ts';
import { useDebounced } from '../../lib/use-debounced.ts';
import { Picture } from '../../ui/Picture.tsx';
import { cx } from '../../ui/cx.ts';

/** Specification, section 4. */
const DEBOUNCE_MS = 300;

type Matches = {
  readonly products: readonly ProductView[];
  /** What they are matches of. */
  readonly query: string;
  /** How it goes, to be read out; empty while the typing has not paused. */
  readonly note: string;
};

/** Matches by name for what is typed, once the typing has paused. An emptied box has none, and at once. */
const useMatches = (typed: string): Matches => {
  const text = typed.trim();
  const query = useDebounced(text, DEBOUNCE_MS);
  const { products, loading, failed } = useProductSearch(query);

  if (text === '') return { products: [], query: '', note: '' };
  if (text !== query) return { products, query, note: '' };
  if (loading) return { products, query, note: 'Searching...' };
  if (failed) return { products, query, note: 'Search is not answering' };
  return { products, query, note: products.length === 1 ? '1 match' : `${products.length} matches` };
};

type HeaderSearchProps = {
  /** A click outside of it closes the search, and so does the focus when it goes on. */
  readonly within: RefObject<HTMLElement | null>;
  /** `giveFocusBack` to the button that opened it. */
  readonly onClose: (giveFocusBack: boolean) => void;
};

/** Drops from the header: a combobox whose options are the links to the perfumes. */
export const HeaderSearch = ({ within, onClose }: HeaderSearchProps) => {
  const [text, setText] = useState('');
  const [active, setActive] = useState(-1);
  const { products: matches, query, note } = useMatches(text);
  const listId = useId();
  const navigate = useNavigate();
  useCloseFromOutside(within, onClose);

  const goTo = (address: string): void => {
    void navigate(address);
    onClose(false);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // These keys are for the input method, which ends a word with Enter.
    if (event.nativeEvent.isComposing) return;
    const chosen = matches[active];
    if (event.key === 'Enter' && text.trim() !== '') goTo(chosen ? `/product/${chosen._id}` : `/shop?q=${encodeURIComponent(text.trim())}`);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined || matches.length === 0) return;
    event.preventDefault();
    // From the box itself, up leads to the last.
    setActive(active < 0 && step < 0 ? matches.length - 1 : (active + step + matches.length) % matches.length);
  };

  return (
    <div className="absolute inset-x-0 top-full animate-fade border-b border-sandal bg-ivory shadow-menu">
      <div className="page-x py-5 md:py-7">
        <search className="relative mx-auto block max-w-2xl">
          <SearchInput
            value={text}
            note={note}
            listId={listId}
            expanded={matches.length > 0}
            activeId={matches[active] ? optionId(listId, active) : undefined}
            onChange={(typed) => {
              setText(typed);
              setActive(-1);
            }}
            onKeyDown={onKeyDown}
          />
          <SearchMatches id={listId} products={matches} query={query} active={active} onChoose={() => onClose(false)} />
        </search>
      </div>
    </div>
  );
};

const useCloseFromOutside = (within: RefObject<HTMLElement | null>, onClose: (giveFocusBack: boolean) => void): void => {
  useEffect(() => {
    // Also when the focus goes on: it would stand under what drops from the header.
    const onElsewhere = ({ target }: Event): void => {
      if (target instanceof Node && !within.current?.contains(target)) onClose(false);
    };
    const onKeyDown = (event: globalThis.KeyboardEvent): void => {
      if (event.key === 'Escape') onClose(true);
    };
    document.addEventListener('pointerdown', onElsewhere);
    document.addEventListener('focusin', onElsewhere);
    document.addEventListener('keydown', onKeyDown);
    return () => {
      document.removeEventListener('pointerdown', onElsewhere);
      document.removeEventListener('focusin', onElsewhere);
      document.removeEventListener('keydown', onKeyDown);
    };
  }, [within, onClose]);
};

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

const SearchInput = ({ value, note, listId, expanded, activeId, onChange, onKeyDown }: SearchInputProps) => {
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

const optionId = (listId: string, index: number): string => `${listId}-${index}`;

type SearchMatchesProps = {
  readonly id: string;
  readonly products: readonly ProductView[];
  readonly query: string;
  readonly active: number;
  readonly onChoose: () => void;
};

/** 120 px high over rows of 48, so half a row shows and the scrolling explains itself. */
const SearchMatches = ({ id, products, query, active, onChoose }: SearchMatchesProps) => {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return (
    <div
      ref={list}
      id={id}
      role="listbox"
      aria-label="Matches"
      hidden={products.length === 0}
      className="mt-1.5 max-h-[120px] overflow-y-scroll rounded-xs border border-sandal bg-white [scrollbar-color:var(--color-teak)_transparent] [scrollbar-width:thin]"
    >
      {products.map((product, index) => (
        <Link
          key={product._id}
          id={optionId(id, index)}
          role="option"
          aria-selected={index === active}
          tabIndex={-1}
          to={`/product/${product._id}`}
          onClick={onChoose}
          className={cx('flex h-12 items-center gap-4 px-2.5 hover:bg-paper', index === active && 'bg-paper')}
        >
          <Picture src={product.productImageUrl[0]} alt="" sizes="32px" className="h-10 w-8 object-cover" />
          <span className="display min-w-0 flex-1 truncate text-[1.0625rem]">
            <Marked text={product.name} part={query} />
          </span>
          <span className="hidden text-xs text-clove capitalize sm:inline">{product.category}</span>
          <span className="figures min-w-24 pr-1.5 text-right text-[0.875rem]">{product.price}</span>
        </Link>
      ))}
    </div>
  );
};

/** The part of the name that was asked for is underlined; a near miss ('sandlewood') has none. */
const Marked = ({ text, part }: { readonly text: string; readonly part: string }) => {
  const at = text.toLowerCase().indexOf(part.toLowerCase());
  if (part === '' || at < 0) return text;
  return (
    <>
      {text.slice(0, at)}
      <mark className="bg-transparent text-oxblood underline decoration-gold underline-offset-4">{text.slice(at, at + part.length)}</mark>
      {text.slice(at + part.length)}
    </>
  );
};
