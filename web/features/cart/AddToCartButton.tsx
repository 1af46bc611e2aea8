import { Check, LoaderCircle } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import type { ProductView } from '#domain/product/view.ts';
import { buttonStyle } from '../../ui/button-style.ts';
import { cx } from '../../ui/cx.ts';
import { useDelayedLoading } from '../../ui/feedback/use-delayed-loading.ts';
import { itemAdded, selectIsPending, selectLastAdded } from './cart-slice.ts';

/** How long the button says 'Added'. */
const SAID_FOR_MS = 2000;

/**
 * Adds a product and tracks the operation. The cart shows the product at once, and the button shows it once the server has confirmed.
 * Another click before that adds one more.
 */
const useAddToCart = (product: ProductView, quantity: number) => {
  const dispatch = useDispatch();
  const [asked, setAsked] = useState<string>();
  const isPending = useSelector((state: Parameters<typeof selectIsPending>[0]) => selectIsPending(state, asked));
  const isAdded = useSelector(selectLastAdded) === asked && asked !== undefined;
  const isSlow = useDelayedLoading(isPending);

  useEffect(() => {
    if (!isAdded) return undefined;
    const timer = setTimeout(() => setAsked(undefined), SAID_FOR_MS);
    return () => clearTimeout(timer);
  }, [isAdded]);

  const add = (): void => setAsked(dispatch(itemAdded(product, quantity)).payload.id);
  return { stage: isSlow ? 'adding' : isAdded ? 'added' : 'ready', add } as const;
};

type AddToCartButtonProps = {
  readonly product: ProductView;
  readonly quantity: number;
  readonly look: 'link' | 'button';
  readonly className?: string;
};

const looks = {
  link: '-mx-1 inline-grid min-h-11 px-1 text-[0.875rem] font-medium text-oxblood hover:text-garnet',
  button: buttonStyle({ size: 'lg' }),
};

const withIcon = 'inline-flex items-center gap-1.5';
const labels = { ready: 'Add to Cart', adding: 'Adding...', added: 'Added' };

/** The button for the catalogue's add-to-cart slot. `CartNotices` shows failures. */
export const AddToCartButton = ({ product, quantity, look, className }: AddToCartButtonProps) => {
  const { stage, add } = useAddToCart(product, quantity);
  return (
    <button
      type="button"
      aria-label={`${labels[stage]}: ${product.name}`}
      aria-busy={stage === 'adding' || undefined}
      onClick={add}
      className={cx(looks[look], className)}
    >
      {/* All labels share one grid cell, so that the button always has the width of the longest. */}
      <span className="inline-grid items-center justify-items-center *:col-start-1 *:row-start-1">
        <span className={cx(look === 'link' && 'link', stage !== 'ready' && 'invisible')}>{labels.ready}</span>
        <span className={cx(withIcon, stage !== 'adding' && 'invisible')}>
          <LoaderCircle className="size-4 animate-spin" strokeWidth={2} />
          {labels.adding}
        </span>
        <span className={cx(withIcon, stage !== 'added' && 'invisible')}>
          <Check className="size-4" strokeWidth={2} />
          {labels.added}
        </span>
      </span>
    </button>
  );
};
