import { LayoutGrid, LogOut, Package, ScrollText, ShoppingBag, UserRound } from 'lucide-react';
import { useEffect } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { Link, NavLink } from 'react-router-dom';
import { pages } from '#domain/site/pages.ts';
import { logoutRequested, selectAuth } from '../../features/auth/auth-slice.ts';
import { selectItemCount } from '../../features/cart/cart-slice.ts';
import { useMedia } from '../../lib/use-media.ts';
import { INFO } from './InfoBanner.tsx';
import { navLinks } from './nav-links.ts';

type MobileMenuProps = {
  /** `top` is the bottom edge of the header, in px from the top of the window. */
  readonly top: number;
  readonly onClose: () => void;
};

/** Fills the screen below the header, under the md breakpoint. The page behind it can neither scroll nor take the focus. */
export const MobileMenu = ({ top, onClose }: MobileMenuProps) => {
  const isWide = useMedia('(min-width: 48rem)');

  useEffect(() => {
    if (isWide) onClose();
  }, [isWide, onClose]);

  useEffect(() => {
    const closeOnEscape = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') onClose();
    };
    // The listener is on the document, because the logo above the menu may link to the page that is already open.
    const closeAtLink = ({ target }: MouseEvent): void => {
      if (target instanceof Element && target.closest('a')) onClose();
    };
    document.addEventListener('keydown', closeOnEscape);
    document.addEventListener('click', closeAtLink);
    document.documentElement.classList.add('overflow-hidden');
    return () => {
      document.removeEventListener('keydown', closeOnEscape);
      document.removeEventListener('click', closeAtLink);
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
        {/* The menu makes the page's own heading inert, so it has one of its own. */}
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

/** Screen readers read 'Cart (4)'; sighted shoppers see a badge as in the header. */
const MobileCart = () => {
  const count = useSelector(selectItemCount);
  return (
    <Link to={pages.cart} className="mt-4 flex min-h-12 items-center gap-3">
      <ShoppingBag className="size-5" strokeWidth={1.5} />
      Cart{' '}
      {count > 0 && (
        <span className="figures ml-auto inline-flex h-6 min-w-6 items-center justify-center rounded-full bg-sindoor px-1.5 text-xs font-semibold text-white">
          <span className="sr-only">(</span>
          {count}
          <span className="sr-only">)</span>
        </span>
      )}
    </Link>
  );
};

const row = 'flex min-h-12 w-full items-center gap-3';

const MobileAccount = () => {
  const dispatch = useDispatch();
  const { user, loading } = useSelector(selectAuth);
  if (!user) {
    return (
      <Link to={pages.signIn} className={row}>
        <UserRound className="size-5" strokeWidth={1.5} />
        Sign In
      </Link>
    );
  }
  return (
    <div className="mt-2 border-t border-sandal pt-4 wrap-anywhere">
      <p className="display text-xl">{user.name}</p>
      <p className="text-sm text-clove">{user.email}</p>
      <Link to={pages.myOrders} className={`mt-2 ${row}`}>
        <Package className="size-5" strokeWidth={1.5} />
        Orders
      </Link>
      <Link to={pages.account} className={row}>
        <UserRound className="size-5" strokeWidth={1.5} />
        Account
      </Link>
      {user.isAdmin && (
        <Link to={pages.siteManager} className={row}>
          <LayoutGrid className="size-5" strokeWidth={1.5} />
          Site Manager
        </Link>
      )}
      {user.isAuditor && (
        <Link to={pages.audit} className={row}>
          <ScrollText className="size-5" strokeWidth={1.5} />
          Audit
        </Link>
      )}
      <button type="button" disabled={loading} onClick={() => dispatch(logoutRequested())} className={row}>
        <LogOut className="size-5" strokeWidth={1.5} />
        Logout
      </button>
    </div>
  );
};
