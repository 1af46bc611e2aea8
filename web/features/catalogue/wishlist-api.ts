import { useSyncExternalStore } from 'react';
import type { ProductView } from '#domain/product/view.ts';
import { getMessage } from '../../lib/http/api.ts';
import { shopApi } from '../../lib/http/shop-api.ts';
import { hasSessionCookie } from '../../lib/session-storage.ts';

type Wishes = { readonly items: readonly { readonly productId: string; readonly product: ProductView }[] };
type Wish = { readonly productId: string; readonly isWished: boolean };

let underWay: Promise<unknown> = Promise.resolve();

/** Calls one after the other, in the order of the clicks: the last click decides, and the last answer has the whole list. */
const inTurn = <Answer>(call: () => Promise<Answer>): Promise<Answer> => {
  const answer = underWay.then(call);
  underWay = answer.catch(() => {});
  return answer;
};

/** The tag is that of sign-ins too, which bring the wishes of the account. */
const wishlistApi = shopApi.enhanceEndpoints({ addTagTypes: ['Wishlist'] }).injectEndpoints({
  endpoints: (build) => ({
    wishlist: build.query<Wishes, void>({
      query: () => ({ url: '/user/wishlist', fallback: 'Your wishlist could not be loaded. Please try again.' }),
      providesTags: ['Wishlist'],
    }),
    /** Answers with the whole list. */
    wish: build.mutation<Wishes, Wish>({
      queryFn: ({ productId, isWished }, _store, _extra, baseQuery) =>
        inTurn(async () => {
          const { data, error } = await baseQuery({
            url: `/user/wishlist/${encodeURIComponent(productId)}`,
            method: isWished ? 'PUT' : 'DELETE',
            fallback: 'Your wishlist could not be saved. Please try again.',
          });
          return error ? { error } : { data: data as Wishes };
        }),
      onQueryStarted: async (_, { dispatch, queryFulfilled }) => {
        try {
          const { data } = await queryFulfilled;
          await dispatch(wishlistApi.util.upsertQueryData('wishlist', undefined, data));
        } catch {
          // The heart shows the refusal.
        }
      },
    }),
  }),
});

const { useWishlistQuery, useWishMutation } = wishlistApi;

const never = () => () => {};

/** Returns the wishlist. A visitor without a session has none, which needs no call; nor has the server while it renders. */
export const useWishlist = () => {
  const mayHaveWishes = useSyncExternalStore(never, hasSessionCookie, () => false);
  return useWishlistQuery(undefined, { skip: !mayHaveWishes });
};

/** Returns whether the shopper wishes for a perfume, and a toggle, which shows at once and goes back if it is refused. */
export const useWish = (productId: string) => {
  const { data } = useWishlist();
  const [send, { isLoading, originalArgs, error, reset }] = useWishMutation();
  const isWished = isLoading && originalArgs ? originalArgs.isWished : (data?.items.some((each) => each.productId === productId) ?? false);
  return {
    isWished,
    toggle: () => void send({ productId, isWished: !isWished }),
    problem: error && getMessage(error),
    dismiss: reset,
  };
};
