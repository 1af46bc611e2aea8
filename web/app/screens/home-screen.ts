import { BESTSELLERS, FEATURED } from '#domain/site/pages.ts';
import { catalogueApi } from '../../features/catalogue/catalogue-api.ts';
import { preloadNewsletterForm } from '../../features/newsletter/LazyNewsletterForm.tsx';
import { withoutSubscription, type Screen } from '../screen.ts';
import { HomePage } from './HomePage.tsx';

const { products } = catalogueApi.endpoints;

export const homeScreen: Screen = {
  Component: HomePage,
  firstCalls: (dispatch) =>
    Promise.all([
      ...[FEATURED, BESTSELLERS].map(({ params }) => dispatch(products.initiate(params, withoutSubscription))),
      typeof document === 'undefined' && preloadNewsletterForm(),
    ]),
};
