import type { StaffStatus } from '#domain/order/status.ts';
import type { OrderView } from '#domain/order/view.ts';
import type { ProductDetails } from '#domain/product/events.ts';
import type { ProductView } from '#domain/product/view.ts';
import type { OrderId, ProductId } from '#domain/shared/ids.ts';
import { api } from '../../lib/http/api.ts';
import { createIdempotencyKeys, withIdempotencyKey } from '../../lib/http/idempotency-keys.ts';

/** A product as `POST` and `PUT /product` take it. */
export type ProductFields = ProductDetails & { readonly price: string; readonly inStock: boolean };

const addressOf = (id: ProductId): string => `/product/${encodeURIComponent(id)}`;

const additions = createIdempotencyKeys();

/** Sent again because the answer was lost, the same product is still added once. */
export const addProduct = (fields: ProductFields): Promise<ProductView> =>
  withIdempotencyKey(
    additions,
    fields,
    async (key) => (await api.post<ProductView>('/product', fields, { headers: { 'Idempotency-Key': key } })).data,
  );

/** Changes what is given. Refused with 409 and `current` when somebody has changed the product after that revision. */
export const reviseProduct = async (id: ProductId, changes: Partial<ProductFields>, expectedRevision: number): Promise<ProductView> =>
  (await api.put<ProductView>(addressOf(id), { ...changes, expectedRevision })).data;

export const removeProduct = async (id: ProductId): Promise<void> => {
  await api.delete(addressOf(id));
};

/** Sends a picture and answers with its address; `onProgress` hears how much of it is gone, from 0 to 1. */
export const uploadPicture = async (file: File, onProgress: (share: number) => void): Promise<string> => {
  const { data } = await api.post<{ readonly url: string }>('/product/pictures', file, {
    headers: { 'Content-Type': file.type || 'application/octet-stream' },
    onUploadProgress: ({ loaded, total }) => onProgress(total === undefined || total === 0 ? 0 : loaded / total),
  });
  return data.url;
};

/** Erases the personal data of a guest, of this order and all others of theirs; answers with the server's sentence for the staff. */
export const eraseGuest = async (id: OrderId): Promise<string> =>
  (await api.post<{ message: string }>(`/admin/order/${encodeURIComponent(id)}/erase`)).data.message;

/** Refused with 409, `current` and `changedBy` when the order is not where the page says it is. */
export const moveOrder = async (id: OrderId, status: StaffStatus, note: string): Promise<OrderView> =>
  (await api.put<OrderView>(`/admin/order/${encodeURIComponent(id)}/status`, { status, note })).data;
