import { ChevronDown, ChevronUp, LayoutGrid, LogOut, Package, ScrollText, ShoppingBag, UserRound, type LucideIcon } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, type ToggleEvent, useRef, useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import { pages } from '#domain/site/pages.ts';
import type { User } from '../../features/auth/auth-api.ts';
import { logoutRequested } from '../../features/auth/auth-slice.ts';
import { selectItemCount } from '../../features/cart/cart-slice.ts';
import { FirstName, nameStyle } from './FirstName.tsx';

const ID = 'account-menu';

/** The menu is 8 px below the header and ends at the page's margin. Browsers without anchor positioning show it in the corner. */
const place =
  'top-30 right-gutter bottom-auto left-auto supports-[position-area:bottom]:inset-auto [position-area:bottom_span-left] supports-[position-area:bottom]:mt-6.5 supports-[position-area:bottom]:mr-3';

const row =
  'flex min-h-11 w-full items-center gap-3 rounded-xs px-3 text-[0.9375rem] -outline-offset-2 hover:bg-paper focus-visible:bg-paper';

const Row = ({ icon: Icon, text }: { readonly icon: LucideIcon; readonly text: string }) => (
  <>
    <Icon className="size-[1.125rem] text-clove" strokeWidth={1.5} />
    {text}
  </>
);

const listEntries = (menu: HTMLElement): HTMLElement[] => [...menu.querySelectorAll<HTMLElement>('[role=menuitem]')];

/** Arrows, Home and End move between entries, a letter to the next entry that begins with it. Space chooses; Tab leaves the menu. */
const onMenuKey = (event: KeyboardEvent<HTMLElement>): void => {
  const { key, target, currentTarget: menu } = event;
  // Hiding the menu returns the focus to the name, before the browser moves it on.
  if (key === 'Tab') return menu.hidePopover();
  const entries = listEntries(menu);
  const at = entries.findIndex((entry) => entry === target);
  const isNext = (entry: HTMLElement): boolean => key.length === 1 && entry.innerText.toLowerCase().startsWith(key.toLowerCase());
  const named = [...entries.slice(at + 1), ...entries.slice(0, at)].find(isNext);
  const to =
    { ArrowDown: entries[(at + 1) % entries.length], ArrowUp: entries.at(at - 1), Home: entries[0], End: entries.at(-1) }[key] ?? named;
  if (key === ' ' && target instanceof HTMLAnchorElement) target.click();
  else if (to) to.focus();
  else return undefined;
  return event.preventDefault();
};

/** A browser popover. It is not modal, so a click beside it closes it and still has its effect. */
export const UserMenu = ({ user }: { readonly user: User }) => {
  const dispatch = useDispatch();
  const count = useSelector(selectItemCount);
  const [open, setOpen] = useState(false);
  const menu = useRef<HTMLDivElement>(null);
  const Chevron = open ? ChevronUp : ChevronDown;
  const onToggle = ({ newState, currentTarget }: ToggleEvent<HTMLElement>): void => {
    setOpen(newState === 'open');
    if (newState === 'open') listEntries(currentTarget)[0]?.focus();
  };
  const onButtonKey = (event: KeyboardEvent<HTMLElement>): void => {
    // `open` is still true right after Escape, but the browser knows that the menu is closed.
    if (event.key !== 'ArrowDown' || menu.current?.matches(':popover-open')) return;
    event.preventDefault();
    event.currentTarget.click();
  };
  return (
    <>
      <button
        type="button"
        id={`${ID}-name`}
        popoverTarget={ID}
        aria-haspopup="menu"
        aria-expanded={open}
        onKeyDown={onButtonKey}
        className={nameStyle}
      >
        <FirstName name={user.name} />
        <Chevron className="size-4" strokeWidth={1.5} />
      </button>
      <div
        ref={menu}
        id={ID}
        popover="auto"
        role="menu"
        tabIndex={-1}
        aria-labelledby={`${ID}-name`}
        onToggle={onToggle}
        onKeyDown={onMenuKey}
        className={`${place} w-72 animate-pop rounded-sm border border-sandal bg-white p-2 text-ink shadow-menu outline-none max-md:hidden`}
      >
        <div className="border-b border-sandal/70 px-3 pt-2 pb-3 wrap-anywhere">
          <span className="display block text-[1.1875rem] leading-tight">{user.name}</span>
          <span className="block text-[0.875rem] text-clove">{user.email}</span>
        </div>
        <div role="none" className="pt-2" onClick={() => menu.current?.hidePopover()}>
          <Entry to={pages.cart} icon={ShoppingBag} text="Cart">
            {count > 0 && <span className="figures ml-auto text-clove">{count}</span>}
          </Entry>
          <Entry to={pages.myOrders} icon={Package} text="Orders" />
          <Entry to={pages.account} icon={UserRound} text="Account" />
          {user.isAdmin && <Entry to={pages.siteManager} icon={LayoutGrid} text="Site Manager" />}
          {user.isAuditor && <Entry to={pages.audit} icon={ScrollText} text="Audit" />}
          <button type="button" role="menuitem" tabIndex={-1} className={row} onClick={() => dispatch(logoutRequested())}>
            <Row icon={LogOut} text="Logout" />
          </button>
        </div>
      </div>
    </>
  );
};

type EntryProps = { readonly to: string; readonly icon: LucideIcon; readonly text: string; readonly children?: ReactNode };

const Entry = ({ to, icon, text, children }: EntryProps) => (
  <Link to={to} role="menuitem" tabIndex={-1} className={row}>
    <Row icon={icon} text={text} />
    {children}
  </Link>
);
