import { type KeyboardEvent, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import type { ProductView } from '#domain/product/view.ts';
import { useProductSearch } from '../../features/catalogue/catalogue-api.ts';
import { areNearest, NEAREST } from '../../features/catalogue/nearest.ts';
import { UNANSWERED } from '../../lib/http/api.ts';
import { useDebounced } from '../../lib/use-debounced.ts';
import { Picture } from '../../ui/Picture.tsx';
import { SearchInput } from '../../ui/SearchInput.tsx';
import { cx } from '../../ui/cx.ts';

type Matches = {
  readonly products: readonly ProductView[];
  readonly query: string;
  /** Screen readers announce the state of the search. It is empty while the shopper is typing. */
  readonly note: string;
  /** What does not fit beside the box stands below it. */
  readonly sentence?: string;
};

/** Returns products matched by name after a debounce. An empty box clears them at once. */
const useMatches = (typed: string): Matches => {
  const text = typed.trim();
  const query = useDebounced(text);
  const { products, loading, failed } = useProductSearch(query);

  if (text === '') return { products: [], query: '', note: '' };
  if (text !== query) return { products, query, note: '' };
  if (loading) return { products, query, note: 'Searching...' };
  if (failed) return { products, query, note: '', sentence: UNANSWERED };
  if (areNearest(products, query)) return { products, query, note: '', sentence: NEAREST };
  return { products, query, note: products.length === 1 ? '1 match' : `${products.length} matches` };
};

type HeaderSearchProps = {
  /** A click or focus outside this element closes the search. */
  readonly within: RefObject<HTMLElement | null>;
  /** With `giveFocusBack` the focus returns to the button that opened the search. */
  readonly onClose: (giveFocusBack: boolean) => void;
};

/** A combobox below the header whose options are links to products. */
export const HeaderSearch = ({ within, onClose }: HeaderSearchProps) => {
  const [text, setText] = useState('');
  const [active, setActive] = useState(-1);
  const { products: matches, query, note, sentence } = useMatches(text);
  const listId = useId();
  const navigate = useNavigate();
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => box.current?.focus(), []);
  useCloseFromOutside(within, onClose);

  const goTo = (address: string): void => {
    void navigate(address);
    onClose(false);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // These keys belong to the input method editor, which ends a word with Enter.
    if (event.nativeEvent.isComposing) return;
    const chosen = matches[active];
    if (event.key === 'Enter' && text.trim() !== '') goTo(chosen ? `/product/${chosen._id}` : `/shop?q=${encodeURIComponent(text.trim())}`);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined || matches.length === 0) return;
    event.preventDefault();
    // From the search box, the up arrow goes to the last option.
    setActive(active < 0 && step < 0 ? matches.length - 1 : (active + step + matches.length) % matches.length);
  };

  return (
    <div className="absolute inset-x-0 top-full animate-fade border-b border-sandal bg-ivory shadow-menu">
      <div className="page-x py-5 md:py-7">
        <search className="relative mx-auto block max-w-2xl">
          <SearchInput
            ref={box}
            type="text"
            role="combobox"
            label="Search products"
            placeholder="Search products..."
            aria-autocomplete="list"
            aria-expanded={matches.length > 0}
            aria-controls={listId}
            aria-activedescendant={matches[active] ? optionId(listId, active) : undefined}
            value={text}
            onType={(typed) => {
              setText(typed);
              setActive(-1);
            }}
            onKeyDown={onKeyDown}
            className="h-13 border-oxblood! pr-36! text-[1.0625rem] shadow-[inset_0_0_0_1px_var(--color-oxblood)] outline-none"
          >
            <output className="absolute top-1/2 right-12 -translate-y-1/2 text-xs text-clove">{note}</output>
          </SearchInput>
          <output className="block text-[0.875rem] text-clove not-empty:mt-2">{sentence}</output>
          <SearchMatches id={listId} products={matches} query={query} active={active} onChoose={() => onClose(false)} />
        </search>
      </div>
    </div>
  );
};

const useCloseFromOutside = (within: RefObject<HTMLElement | null>, onClose: (giveFocusBack: boolean) => void): void => {
  useEffect(() => {
    // The search also closes when the focus leaves it, because it would hide the focused element.
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

const optionId = (listId: string, index: number): string => `${listId}-${index}`;

type SearchMatchesProps = {
  readonly id: string;
  readonly products: readonly ProductView[];
  readonly query: string;
  readonly active: number;
  readonly onChoose: () => void;
};

/** The list is 120 px high with rows of 48 px, so that a half-visible row shows that it scrolls. */
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
          <Picture src={product.productImageUrl[0]} alt="" sizes="32px" family={product.category} className="h-10 w-8 object-cover" />
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

/** Underlines the part of the name that matches. A fuzzy match ('sandlewood') has no such part. */
const Marked = ({ text, part }: { readonly text: string; readonly part: string }) => {
  const at = text.toLowerCase().indexOf(part.toLowerCase());
  if (part === '' || at < 0) return <>{text}</>;
  return (
    <>
      {text.slice(0, at)}
      <mark className="bg-transparent text-oxblood underline decoration-gold underline-offset-4">{text.slice(at, at + part.length)}</mark>
      {text.slice(at + part.length)}
    </>
  );
};
