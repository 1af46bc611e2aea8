import { useEffect, useRef } from 'react';
import { Link } from 'react-router-dom';
import type { ProductView } from '#domain/product/view.ts';
import { cx } from '../../ui/cx.ts';
import { Picture } from '../../ui/Picture.tsx';

export const optionId = (listId: string, index: number): string => `${listId}-${index}`;

type SearchMatchesProps = {
  readonly id: string;
  readonly products: readonly ProductView[];
  readonly query: string;
  readonly active: number;
  readonly onChoose: () => void;
};

/** 120 px high over rows of 48, so half a row shows and the scrolling explains itself. */
export const SearchMatches = ({ id, products, query, active, onChoose }: SearchMatchesProps) => {
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
