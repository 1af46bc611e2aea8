import { lazy, Suspense, useSyncExternalStore, type ComponentType } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { matchPath } from 'react-router-dom';
import { relatedCall, pages } from '#domain/site/pages.ts';
import { selectUser } from '../../features/auth/auth-slice.ts';
import { AddToCartButton } from '../../features/cart/AddToCartButton.tsx';
import { ProductPage, type ReviewsSlot } from '../../features/catalogue/product/ProductPage.tsx';
import type { NoticeSlot } from '../../features/catalogue/product/BuyBox.tsx';
import { catalogueApi, catalogueOutdated } from '../../features/catalogue/catalogue-api.ts';
import type { NoticeFormProps } from '../../features/notices/NoticeForm.tsx';
import { ProductReviews } from '../../features/reviews/ProductReviews.tsx';
import { firstPageReady } from '../../lib/first-page-ready.ts';
import { Alert } from '../../ui/feedback/Alert.tsx';
import { type Screen, withoutSubscription } from '../screen.ts';
import { useShopper } from '../use-shopper.ts';

const Unavailable = () => <Alert>This form could not be loaded. Check your connection and load the page again.</Alert>;

const LateForm = lazy(async (): Promise<{ default: ComponentType<NoticeFormProps> }> => {
  await firstPageReady;
  try {
    return { default: (await import('../../features/notices/NoticeForm.tsx')).NoticeForm };
  } catch {
    return { default: Unavailable };
  }
});

const still = () => () => {};

/** A sold-out product's form loads in the browser only. Its space is reserved from the start. */
const Notice: NoticeSlot = ({ productId }) => {
  const user = useSelector(selectUser);
  const shopper = useShopper(user);
  const isInBrowser = useSyncExternalStore(
    still,
    () => true,
    () => false,
  );
  return (
    <div className="min-h-41 @md:min-h-26">
      {isInBrowser && (
        <Suspense>
          <LateForm key={shopper} productId={productId} knownEmail={user?.email} />
        </Suspense>
      )}
    </div>
  );
};

const Reviews: ReviewsSlot = ({ product: shown }) => {
  const user = useSelector(selectUser);
  const shopper = useShopper(user);
  const dispatch = useDispatch();
  return <ProductReviews key={shopper} product={shown} isSignedIn={user !== null} onChanged={() => void dispatch(catalogueOutdated())} />;
};

const Product = () => <ProductPage AddToCart={AddToCartButton} Notice={Notice} Reviews={Reviews} />;

const { product, products } = catalogueApi.endpoints;

export const productScreen: Screen = {
  Component: Product,
  firstCalls: async (dispatch, { pathname }) => {
    const id = matchPath(pages.product, pathname)?.params.productId ?? '';
    const { data } = await dispatch(product.initiate(id, withoutSubscription));
    if (data && data.category !== '') await dispatch(products.initiate(relatedCall(data.category).params, withoutSubscription));
  },
};
