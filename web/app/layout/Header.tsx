import { ChevronDown, Menu, Search, ShoppingBag, UserRound, X } from 'lucide-react';
import { lazy, type Ref, Suspense, useRef, useState } from 'react';
import { useSelector } from 'react-redux';
import { Link, NavLink } from 'react-router-dom';
import { pages } from '#domain/site/pages.ts';
import { selectUser } from '../../features/auth/auth-slice.ts';
import { selectItemCount } from '../../features/cart/cart-slice.ts';
import { badgeText, cartLabel } from '../../features/cart/cart-count.ts';
import { cx } from '../../ui/cx.ts';
import { useScreenIsComing } from '../coming-screen.ts';
import { FirstName, nameStyle } from './FirstName.tsx';
import { MobileMenu } from './MobileMenu.tsx';
import { navLinks } from './nav-links.ts';
import { useOpenOnPage } from './use-open-on-page.ts';

type HeaderProps = {
  /** Whether the site content has loaded. Until then 'Loading...' replaces the links; later it is shown below them while a page is slow. */
  readonly ready: boolean;
  readonly isLow: boolean;
  readonly menuOpen: boolean;
  readonly onMenuChange: (open: boolean) => void;
};

const round = 'inline-flex size-11 items-center justify-center rounded-full hover:bg-ink/5';
const glyph = 'size-[1.375rem]';

const belowNav = 'absolute inset-x-0 top-full text-[0.6875rem] leading-none';
const belowLogo = 'text-[0.875rem] max-md:absolute max-md:inset-x-0 max-md:top-full max-md:text-[0.6875rem] max-md:leading-none';

/** The links are in the middle column of a grid, so that the content at the sides cannot move them. */
export const Header = ({ ready, isLow, menuOpen, onMenuChange }: HeaderProps) => {
  const [searchOpen, setSearchOpen] = useOpenOnPage();
  const isPageComing = useScreenIsComing();
  const header = useRef<HTMLElement>(null);
  const searchButton = useRef<HTMLButtonElement>(null);
  const menuButton = useRef<HTMLButtonElement>(null);
  /** The mobile menu starts at this px, which is lower while the banner is still in view. */
  const [bottom, setBottom] = useState(0);

  const setSearch = (open: boolean): void => {
    if (open) onMenuChange(false);
    setSearchOpen(open);
  };
  const closeSearch = (giveFocusBack: boolean): void => {
    setSearch(false);
    if (giveFocusBack) searchButton.current?.focus();
  };
  const toggleMenu = (): void => {
    setSearch(false);
    setBottom(header.current?.getBoundingClientRect().bottom ?? 0);
    onMenuChange(!menuOpen);
  };
  const closeMenu = (): void => {
    onMenuChange(false);
    menuButton.current?.focus();
  };
  return (
    <header ref={header} className="sticky top-0 z-30 border-b border-sandal/70 bg-ivory">
      <div className={cx('page-x grid h-16 grid-cols-[1fr_auto_1fr] items-center', !isLow && 'md:h-20')}>
        <div className="flex items-center justify-start">
          <MenuButton ref={menuButton} open={menuOpen} onClick={toggleMenu} />
          <Logo className="hidden md:block" height="h-8 lg:h-9" />
        </div>
        <div className="relative">
          <Logo className="md:hidden" height="h-6 min-[22rem]:h-7" />
          {ready && <MainNav />}
          <output className={cx('text-center text-clove', ready ? belowNav : belowLogo)}>{(!ready || isPageComing) && 'Loading...'}</output>
        </div>
        <div className="flex items-center justify-end sm:gap-1">
          <SearchButton ref={searchButton} open={searchOpen} onClick={() => setSearch(!searchOpen)} />
          <CartLink className={cx(round, '-mr-2.5 md:mr-0')} />
          <HeaderAccount className={cx(round, '-mr-2.5 max-md:hidden')} />
        </div>
      </div>
      {searchOpen && (
        <Suspense>
          <HeaderSearch within={header} onClose={closeSearch} />
        </Suspense>
      )}
      {menuOpen && <MobileMenu top={bottom} onClose={closeMenu} />}
    </header>
  );
};

type ToggleProps = { readonly ref: Ref<HTMLButtonElement>; readonly open: boolean; readonly onClick: () => void };

const MenuButton = ({ ref, open, onClick }: ToggleProps) => (
  <button
    ref={ref}
    type="button"
    aria-label={open ? 'Close menu' : 'Menu'}
    aria-expanded={open}
    aria-controls={open ? 'menu' : undefined}
    onClick={onClick}
    className="-ml-3 inline-flex size-11 items-center justify-center md:hidden"
  >
    {open ? <X className="size-6" strokeWidth={1.5} /> : <Menu className="size-6" strokeWidth={1.5} />}
  </button>
);

const loadSearch = () => import('./HeaderSearch.tsx');
const HeaderSearch = lazy(async () => ({ default: (await loadSearch()).HeaderSearch }));

/** Loads the search before the click. If it fails, the click loads the search again. */
const preloadSearch = (): void => void loadSearch().catch(() => {});

const SearchButton = ({ ref, open, onClick }: ToggleProps) => (
  <button
    ref={ref}
    type="button"
    aria-label={open ? 'Close search' : 'Search'}
    aria-expanded={open}
    onPointerEnter={preloadSearch}
    onFocus={preloadSearch}
    onClick={onClick}
    className={round}
  >
    {open ? <X className={glyph} strokeWidth={1.5} /> : <Search className={glyph} strokeWidth={1.5} />}
  </button>
);

const Logo = ({ className, height }: { readonly className: string; readonly height: string }) => (
  <Link to={pages.home} aria-label="RUHANI, home" className={className}>
    <img src="/logo.svg" alt="" width={423} height={80} className={cx('w-auto', height)} />
  </Link>
);

const MainNav = () => (
  <nav aria-label="Main" className="hidden gap-7 md:flex lg:gap-12">
    {navLinks.map(({ text, to }) => (
      <NavLink
        key={to}
        to={to}
        end
        className="caps relative inline-flex min-h-11 items-center text-ink hover:text-oxblood aria-[current=page]:text-oxblood aria-[current=page]:after:absolute aria-[current=page]:after:inset-x-0 aria-[current=page]:after:bottom-1.5 aria-[current=page]:after:h-px aria-[current=page]:after:bg-gold"
      >
        {text}
      </NavLink>
    ))}
  </nav>
);

const CartLink = ({ className }: { readonly className: string }) => {
  const count = useSelector(selectItemCount);
  return (
    <Link to={pages.cart} aria-label={cartLabel(count)} className={cx('relative', className)}>
      <ShoppingBag className="size-[1.375rem]" strokeWidth={1.5} />
      {count > 0 && (
        <span
          key={count}
          className="figures absolute top-0.5 right-0.5 inline-flex h-[1.125rem] animate-pop min-w-[1.125rem] items-center justify-center rounded-full bg-sindoor px-1 text-[0.6875rem] leading-none font-semibold text-white"
        >
          {badgeText(count)}
        </span>
      )}
    </Link>
  );
};

/** The menu loads for signed-in shoppers only, so that a visitor's first page does not fetch it. */
const UserMenu = lazy(async () => ({ default: (await import('./UserMenu.tsx')).UserMenu }));

/** A sign-in link or the user menu. On small screens the mobile menu has both. */
const HeaderAccount = ({ className }: { readonly className: string }) => {
  const user = useSelector(selectUser);
  if (!user) {
    return (
      <Link to={pages.signIn} aria-label="Sign in" className={className}>
        <UserRound className="size-[1.375rem]" strokeWidth={1.5} />
      </Link>
    );
  }
  const coming = (
    <span className={nameStyle}>
      <FirstName name={user.name} />
      <ChevronDown className="size-4" strokeWidth={1.5} />
    </span>
  );
  return (
    <Suspense fallback={coming}>
      <UserMenu user={user} />
    </Suspense>
  );
};
