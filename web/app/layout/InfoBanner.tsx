import { cx } from '../../ui/cx.ts';

export const INFO = 'Free worldwide shipping on orders over $250';

/** Above the desk the banner is one low line. */
export const InfoBanner = ({ isLow }: { readonly isLow: boolean }) => (
  <aside aria-label="Shipping" className="on-dark bg-umber text-mist">
    <p
      className={cx(
        'page-x text-center',
        isLow ? 'h-7 truncate text-xs leading-7' : 'flex min-h-9 items-center justify-center py-1.5 text-[0.8125rem]',
      )}
    >
      {INFO}
    </p>
  </aside>
);
