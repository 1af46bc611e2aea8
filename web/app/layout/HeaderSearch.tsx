import { useEffect, useId, useState, type KeyboardEvent, type RefObject } from 'react';
import { useNavigate } from 'react-router-dom';
import { SearchInput } from './SearchInput.tsx';
import { SearchMatches, optionId } from './SearchMatches.tsx';
import { useMatches } from './use-matches.ts';

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
