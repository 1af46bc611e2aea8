import { matchPath } from 'react-router-dom';
import { relatedOf } from '#domain/first-calls.ts';
import { pages } from '#domain/pages.ts';
import { catalogueApi } from '../../features/catalogue/catalogue-api.ts';
import { unheld, type Screen } from '../screen.ts';
import { Product } from './Product.tsx';

const { product, products } = catalogueApi.endpoints;

export const productScreen: Screen = {
  Component: Product,
  firstCalls: async (dispatch, { pathname }) => {
    const id = matchPath(pages.product, pathname)?.params.productId ?? '';
    const { data } = await dispatch(product.initiate(id, unheld));
    if (data && data.category !== '') await dispatch(products.initiate(relatedOf(data.category).params, unheld));
  },
};
