import { useEffect } from 'react';
import { NavLink } from 'react-router-dom';
import { useMedia } from '../../lib/use-media.ts';
import { INFO } from './InfoBanner.tsx';
import { MobileAccount } from './MobileAccount.tsx';
import { MobileCart } from './MobileCart.tsx';
import { navLinks } from './nav-links.ts';

type MobileMenuProps = {
  /** Where the header ends, in px from the top of the window; the menu begins on its border. */
  readonly top: number;
  readonly onClose: () => void;
};

/** Fills the screen under the header, below the md breakpoint. The page behind it neither scrolls nor takes focus. */
export const MobileMenu = ({ top, onClose }: MobileMenuProps) => {
  const isWide = useMedia('(min-width: 48rem)');

  useEffect(() => {
    if (isWide) onClose();
  }, [isWide, onClose]);

  useEffect(() => {
    const closeOnEscape = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') onClose();
    };
    document.addEventListener('keydown', closeOnEscape);
    document.documentElement.classList.add('overflow-hidden');
    return () => {
      document.removeEventListener('keydown', closeOnEscape);
      document.documentElement.classList.remove('overflow-hidden');
    };
  }, [onClose]);

  return (
    <div
      id="menu"
      style={{ height: `calc(100dvh - ${top - 1}px)` }}
      className="absolute inset-x-0 top-full animate-fade overflow-y-auto border-t border-sandal bg-ivory md:hidden"
    >
      <nav aria-label="Main" className="page-x flex min-h-full flex-col pt-4 pb-8">
        {/* While it covers the page, whose own heading cannot be reached, it is the page. */}
        <h1 className="sr-only">Menu</h1>
        {navLinks.map(({ text, to }) => (
          <NavLink
            key={to}
            to={to}
            end
            className="group display flex min-h-16 items-center justify-between border-b border-sandal text-[1.375rem] tracking-[0.16em] aria-[current=page]:text-oxblood"
          >
            {text}
            <span className="size-1.5 rounded-full bg-gold group-not-aria-[current=page]:hidden" />
          </NavLink>
        ))}
        <MobileCart />
        <MobileAccount />
        <p className="mt-auto pt-8 text-sm text-clove">{INFO}</p>
      </nav>
    </div>
  );
};
