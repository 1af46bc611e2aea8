import type { Api } from '../../lib/http/api.ts';
import type { CartView } from '#domain/cart/view.ts';
import type { Operation } from './optimistic-cart.ts';

export const fetchCart = async (api: Api): Promise<CartView> => (await api.get<CartView>('/cart/get-cart')).data;

/** Tells the server; it answers with the whole cart as it is then. Told again, also after a reload, an operation is done once. */
export const tell = async (api: Api, operation: Operation): Promise<CartView> => {
  const once = { headers: { 'Idempotency-Key': operation.id } };
  switch (operation.kind) {
    case 'add':
      return (await api.post<CartView>('/cart/add-to-cart', { ...operation.product, quantity: operation.quantity }, once)).data;
    case 'change':
      return (await api.put<CartView>(`/cart/update/${operation.productId}`, { quantity: operation.quantity }, once)).data;
    case 'remove':
      return (await api.delete<CartView>(`/cart/remove/${operation.productId}`)).data;
  }
};
