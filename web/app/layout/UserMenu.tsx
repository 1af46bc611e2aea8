import { ChevronDown, ChevronUp, LogOut, Package, ScrollText, ShoppingBag, UserRound, type LucideIcon } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import { pages } from '#domain/site/pages.ts';
import type { User } from '../../features/auth/auth-api.ts';
import { logoutRequested } from '../../features/auth/auth-slice.ts';
import { selectItemCount } from '../../features/cart/cart-slice.ts';
import { FirstName, nameStyle } from './FirstName.tsx';

const row = 'flex min-h-11 w-full items-center gap-3 rounded-xs px-3 text-[0.9375rem] -outline-offset-2 data-highlighted:bg-paper';

const Row = ({ icon: Icon, text }: { readonly icon: LucideIcon; readonly text: string }) => (
  <>
    <Icon className="size-[1.125rem] text-clove" strokeWidth={1.5} />
    {text}
  </>
);

/** In px: the menu hangs 8 px below the header and ends at the page's margin. */
const UNDER_HEADER = 26;
const PAST_MARGIN = 12;

/**
 * Not modal: a click beside it closes it and still has its effect. Rendered inside the header, not at the end of the document, so that it
 * stays within the banner landmark for screen readers.
 */
export const UserMenu = ({ user }: { readonly user: User }) => {
  const dispatch = useDispatch();
  const count = useSelector(selectItemCount);
  const [open, setOpen] = useState(false);
  const Chevron = open ? ChevronUp : ChevronDown;
  return (
    <DropdownMenu.Root modal={false} open={open} onOpenChange={setOpen}>
      <DropdownMenu.Trigger className={nameStyle}>
        <FirstName name={user.name} />
        <Chevron className="size-4" strokeWidth={1.5} />
      </DropdownMenu.Trigger>
      <DropdownMenu.Content
        align="end"
        alignOffset={PAST_MARGIN}
        sideOffset={UNDER_HEADER}
        loop
        className="w-72 animate-pop outline-none rounded-sm border border-sandal bg-white p-2 shadow-menu max-md:hidden"
      >
        <DropdownMenu.Label className="border-b border-sandal/70 px-3 pt-2 pb-3 wrap-anywhere">
          <span className="display block text-[1.1875rem] leading-tight">{user.name}</span>
          <span className="block text-[0.875rem] text-clove">{user.email}</span>
        </DropdownMenu.Label>
        <div role="none" className="pt-2">
          <DropdownMenu.Item asChild>
            <Link to={pages.cart} className={row}>
              <Row icon={ShoppingBag} text="Cart" />
              {count > 0 && <span className="figures ml-auto text-clove">{count}</span>}
            </Link>
          </DropdownMenu.Item>
          <DropdownMenu.Item asChild>
            <Link to={pages.myOrders} className={row}>
              <Row icon={Package} text="Orders" />
            </Link>
          </DropdownMenu.Item>
          <DropdownMenu.Item asChild>
            <Link to={pages.account} className={row}>
              <Row icon={UserRound} text="Account" />
            </Link>
          </DropdownMenu.Item>
          {(user.isAuditor || user.isAdmin) && (
            <DropdownMenu.Item asChild>
              <Link to={pages.audit} className={row}>
                <Row icon={ScrollText} text="Audit" />
              </Link>
            </DropdownMenu.Item>
          )}
          <DropdownMenu.Item className={`${row} cursor-pointer`} onSelect={() => dispatch(logoutRequested())}>
            <Row icon={LogOut} text="Logout" />
          </DropdownMenu.Item>
        </div>
      </DropdownMenu.Content>
    </DropdownMenu.Root>
  );
};
