import type { Rejection } from '#domain/rejections.ts';

import type { RefusalAnswer } from './refusal.ts';

type Answers = { readonly [Code in Rejection['code']]: (rejection: Extract<Rejection, { code: Code }>) => Omit<RefusalAnswer, 'code'> };

/** What each no of the domain becomes. A new one does not compile until it has a status and a sentence here. */
const answers = {
  product_not_found: () => ({ status: 404, message: 'Product not found' }),
  product_already_exists: () => ({ status: 409, message: 'There is or was a product with this id' }),
  product_invalid: ({ errors }) => ({ status: 400, message: 'Please correct the marked fields', errors }),
  product_changed: () => ({ status: 409, message: 'Somebody else has changed this product meanwhile' }),
  product_out_of_stock: () => ({ status: 409, message: 'Product is out of stock' }),
  product_not_purchasable: () => ({ status: 409, message: 'Product is not for sale' }),
  quantity_out_of_range: ({ least, most }) => {
    const message = `Quantity must be a whole number from ${least} to ${most}`;
    return { status: 400, message, errors: { quantity: message } };
  },
  cart_full: ({ most }) => ({ status: 400, message: `A cart holds ${most} different products at most` }),
  product_not_in_cart: () => ({ status: 404, message: 'Product not in cart' }),
  cart_closed: () => ({ status: 409, message: 'This cart is now in your account. Please sign in to go on.' }),
} satisfies Answers;

/** The answer to a request that the domain refused. */
export const answerTo = (rejection: Rejection): RefusalAnswer => {
  // Each code has the answer of its own rejection, which the table's type sees to and its lookup forgets.
  const answer = answers[rejection.code] as (rejection: Rejection) => Omit<RefusalAnswer, 'code'>;
  return { ...answer(rejection), code: rejection.code };
};
