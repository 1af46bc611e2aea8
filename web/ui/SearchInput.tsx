import { Search, X } from 'lucide-react';
import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import { cx } from './cx.ts';
import { IconButton } from './IconButton.tsx';

type SearchInputProps = Omit<ComponentProps<'input'>, 'onChange'> & {
  /** The accessible name is also the placeholder unless one is given. */
  readonly label: string;
  readonly value: string;
  readonly onType: (text: string) => void;
  readonly children?: ReactNode;
};

export const SearchInput = ({ label, value, onType, className, children, ...input }: SearchInputProps) => {
  const clear = ({ currentTarget }: MouseEvent): void => {
    onType('');
    currentTarget.parentElement?.querySelector('input')?.focus();
  };
  return (
    <div className="relative">
      <Search className="pointer-events-none absolute top-1/2 left-4 size-5 -translate-y-1/2 text-clove" strokeWidth={1.5} />
      <input
        type="search"
        enterKeyHint="search"
        autoComplete="off"
        maxLength={100}
        placeholder={label}
        {...input}
        aria-label={label}
        value={value}
        onChange={({ target }) => onType(target.value)}
        className={cx(
          'w-full rounded-xs border border-teak bg-white pr-11 pl-12 hover:border-ink placeholder:text-clove/80 [&::-webkit-search-cancel-button]:hidden',
          className,
        )}
      />
      {children}
      {value !== '' && (
        <IconButton icon={X} label="Clear" iconClass="size-4" onClick={clear} className="absolute inset-y-0 right-0 my-auto" />
      )}
    </div>
  );
};
