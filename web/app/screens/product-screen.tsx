import { matchPath } from 'react-router-dom';
import { relatedOf, pages } from '#domain/site/pages.ts';
import { AddToCartButton } from '../../features/cart/AddToCartButton.tsx';
import { ProductPage } from '../../features/catalogue/product/ProductPage.tsx';
import { catalogueApi } from '../../features/catalogue/catalogue-api.ts';
import { type Screen, withoutSubscription } from '../screen.ts';

/** The product page with the cart's button. */
const Product = () => <ProductPage AddToCart={AddToCartButton} />;

const { product, products } = catalogueApi.endpoints;

export const productScreen: Screen = {
  Component: Product,
  firstCalls: async (dispatch, { pathname }) => {
    const id = matchPath(pages.product, pathname)?.params.productId ?? '';
    const { data } = await dispatch(product.initiate(id, withoutSubscription));
    if (data && data.category !== '') await dispatch(products.initiate(relatedOf(data.category).params, withoutSubscription));
  },
};
