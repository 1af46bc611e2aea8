import { STEP } from '#domain/first-calls.ts';
import { catalogueApi } from '../../features/catalogue/catalogue-api.ts';
import { queryOf, readFilters } from '../../features/catalogue/shop-filters.ts';
import { unheld, type Screen } from '../screen.ts';
import { Shop } from './Shop.tsx';

const { productPages } = catalogueApi.endpoints;

export const shopScreen: Screen = {
  Component: Shop,
  firstCalls: (dispatch, { search }) =>
    dispatch(productPages.initiate(queryOf(readFilters(new URLSearchParams(search))), { ...unheld, initialPageParam: { limit: STEP } })),
};
