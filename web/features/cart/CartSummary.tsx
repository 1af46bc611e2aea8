import { LoaderCircle } from 'lucide-react';
import type { ReactNode } from 'react';
import { useSelector } from 'react-redux';
import type { CartItemView } from '#domain/cart/view.ts';
import { GIFT_WRAP_FEE } from '#domain/order/totals.ts';
import { pages } from '#domain/site/pages.ts';
import { formatRupees, ZERO } from '#domain/shared/money.ts';
import { taxRows } from '../../lib/tax-rows.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import { Alert } from '../../ui/feedback/Alert.tsx';
import { TextLink } from '../../ui/TextLink.tsx';
import { selectCartTotals, selectHasPending, selectIsTaxPending } from './cart-slice.ts';

const FREE = 'Free';
const PENDING = '…';

/** Shows the totals, computed by the function that also prices the order, and the checkout button. */
export const CartSummary = ({ items }: { readonly items: readonly CartItemView[] }) => {
  const totals = useSelector((state: Parameters<typeof selectCartTotals>[0]) => selectCartTotals(state));
  const hasPending = useSelector(selectHasPending);
  const isTaxPending = useSelector(selectIsTaxPending);
  return (
    <section aria-labelledby="summary" className="self-start bg-paper p-6 sm:p-8 lg:sticky lg:top-28">
      <h2 id="summary" className="display mb-6 text-h3">
        Order Summary
      </h2>
      <dl aria-busy={hasPending} className={cx('figures transition-colors', hasPending && 'text-clove')}>
        <Row name="Subtotal" value={formatRupees(totals.subtotal)} />
        <Row name="Shipping" value={totals.shipping === ZERO ? FREE : formatRupees(totals.shipping)} />
        {(isTaxPending ? [{ label: 'Tax', text: PENDING }] : taxRows(totals)).map(({ label, text }) => (
          <Row key={label} name={label} value={text} />
        ))}
        <div className="mt-5 flex flex-wrap items-baseline justify-between gap-x-4 border-t border-sandal pt-5 font-medium">
          <dt className="flex items-center gap-2.5">
            Total
            {hasPending && <LoaderCircle className="size-4 animate-spin" strokeWidth={2} />}
          </dt>
          <dd className="text-[1.375rem]">{isTaxPending ? PENDING : formatRupees(totals.total)}</dd>
        </div>
      </dl>
      <p className="figures mt-2 text-xs text-clove">Gift wrap can be added at the next step for {formatRupees(GIFT_WRAP_FEE)}.</p>
      <WayOn items={items} />
      <TextLink to={pages.home} className="mt-2 w-full justify-center">
        Continue Shopping
      </TextLink>
    </section>
  );
};

const Row = ({ name, value }: { readonly name: string; readonly value: string }) => (
  <div className="flex justify-between gap-4 text-[0.9375rem] not-first:mt-3">
    <dt className="text-clove">{name}</dt>
    <dd className={value === FREE ? 'text-khus-deep' : undefined}>{value}</dd>
  </div>
);

/**
 * Explains why the server would refuse an order with unavailable items or insufficient stock. Pending operations do not block the button,
 * because the checkout waits for them.
 */
const WayOn = ({ items }: { readonly items: readonly CartItemView[] }) => {
  const unavailable = items.filter((item) => item.unavailable);
  const [short, ...others] = items.filter((item) => !item.unavailable && item.onlyLeft !== undefined);
  if (unavailable.length === 0 && short)
    return (
      <Stop>
        {others.length === 0
          ? `Only ${short.onlyLeft} of ${short.product.name} ${short.onlyLeft === 1 ? 'is' : 'are'} left. Reduce its quantity`
          : `There are not enough bottles of ${others.length + 1} of these. Reduce their quantities`}{' '}
        to go on to checkout.
      </Stop>
    );
  if (unavailable.length === 0)
    return (
      <ButtonLink to={pages.checkout} size="lg" className="mt-6 w-full">
        Proceed to Checkout
      </ButtonLink>
    );
  const reason = unavailable.every(({ onlyLeft }) => onlyLeft !== undefined) ? 'out of stock' : 'no longer available';
  return (
    <Stop>
      {unavailable.length === 1 ? `${unavailable[0]?.product.name} is ${reason}.` : `${unavailable.length} of these are ${reason}.`} Remove{' '}
      {unavailable.length === 1 ? 'it' : 'them'} to go on to checkout.
    </Stop>
  );
};

const Stop = ({ children }: { readonly children: ReactNode }) => (
  <>
    <Alert kind="warning" className="mt-6">
      {children}
    </Alert>
    <Button size="lg" disabled className="mt-4 w-full">
      Proceed to Checkout
    </Button>
  </>
);
