import type { ProductView } from '#domain/product/view.ts';
import { useProductsQuery } from './catalogue-api.ts';

/** More matches than anybody scrolls through under a search box. */
const MOST = 50;

type ProductSearch = { readonly products: readonly ProductView[]; readonly loading: boolean; readonly failed: boolean };

/** The products whose name contains the text, by the server, which also finds the nearest names; an empty text finds nothing. */
export const useProductSearch = (text: string): ProductSearch => {
  const { currentData = [], isFetching, isError } = useProductsQuery({ q: text, limit: MOST }, { skip: text === '' });
  return { products: currentData, loading: isFetching, failed: isError && !isFetching };
};
