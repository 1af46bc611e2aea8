import { LISTING_PAGE_SIZE } from '#domain/site/pages.ts';
import { AddToCartButton } from '../../features/cart/AddToCartButton.tsx';
import { ShopPage } from '../../features/catalogue/listing/ShopPage.tsx';
import { catalogueApi } from '../../features/catalogue/catalogue-api.ts';
import { toQuery, readFilters } from '../../features/catalogue/listing/shop-filters.ts';
import { type Screen, withoutSubscription } from '../screen.ts';

const Shop = () => <ShopPage AddToCart={AddToCartButton} />;

const { productPages } = catalogueApi.endpoints;

export const shopScreen: Screen = {
  Component: Shop,
  firstCalls: (dispatch, { search }) =>
    dispatch(
      productPages.initiate(toQuery(readFilters(new URLSearchParams(search))), {
        ...withoutSubscription,
        initialPageParam: { limit: LISTING_PAGE_SIZE },
      }),
    ),
};
