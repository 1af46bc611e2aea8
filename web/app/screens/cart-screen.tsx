import { BESTSELLERS } from '#domain/first-calls.ts';
import { catalogueApi } from '../../features/catalogue/catalogue-api.ts';
import { CartRoute } from './CartRoute.tsx';
import { unheld, type Screen } from '../screen.ts';

const { products } = catalogueApi.endpoints;

export const cartScreen: Screen = {
  Component: CartRoute,
  firstCalls: (dispatch) => dispatch(products.initiate(BESTSELLERS.params, unheld)),
};
