import { useEffect, useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import type { ProductView } from '#domain/product/view.ts';
import { useDelayedLoading } from '../../ui/use-delayed-loading.ts';
import { itemAdded, selectIsPending, selectLastAdded } from './cart-slice.ts';

/** How long a button says that it is done. */
const SAID_FOR = 2000;

/**
 * Puts so many of a perfume into the cart, and tells how that goes. The cart shows them at once; the button says so when the server
 * has confirmed. It takes the next click meanwhile, which is one more.
 */
export const useAddToCart = (product: ProductView, quantity: number) => {
  const dispatch = useDispatch();
  const [asked, setAsked] = useState<string>();
  const isPending = useSelector((state: Parameters<typeof selectIsPending>[0]) => selectIsPending(state, asked));
  const isAdded = useSelector(selectLastAdded) === asked && asked !== undefined;
  const isSlow = useDelayedLoading(isPending);

  useEffect(() => {
    if (!isAdded) return undefined;
    const timer = setTimeout(() => setAsked(undefined), SAID_FOR);
    return () => clearTimeout(timer);
  }, [isAdded]);

  const add = (): void => setAsked(dispatch(itemAdded(product, quantity)).payload.id);
  return { stage: isSlow ? 'adding' : isAdded ? 'added' : 'ready', add } as const;
};
