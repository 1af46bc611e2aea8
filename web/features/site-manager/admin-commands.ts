import type { StaffStatus } from '#domain/order/rules.ts';
import type { OrderView } from '#domain/order/view.ts';
import type { ProductDetails } from '#domain/product/events.ts';
import type { ProductView } from '#domain/product/view.ts';
import type { OrderId, ProductId } from '#domain/shared/ids.ts';
import { api } from '../../lib/http/api.ts';
import { createIdempotencyKeys, withIdempotencyKey } from '../../lib/http/idempotency-keys.ts';

/** Body of `POST` and `PUT /product`. */
export type ProductFields = ProductDetails & { readonly price: string; readonly inStock: boolean };

const addressOf = (id: ProductId): string => `/product/${encodeURIComponent(id)}`;

const additions = createIdempotencyKeys();

/** Sends an idempotency key, so that a repetition after a lost answer adds the product once. */
export const addProduct = (fields: ProductFields): Promise<ProductView> =>
  withIdempotencyKey(
    additions,
    fields,
    async (key) => (await api.post<ProductView>('/product', fields, { headers: { 'Idempotency-Key': key } })).data,
  );

/** Sends changed fields only. Refused with 409 and `current` when somebody has changed the product since that revision. */
export const reviseProduct = async (id: ProductId, changes: Partial<ProductFields>, expectedRevision: number): Promise<ProductView> =>
  (await api.put<ProductView>(addressOf(id), { ...changes, expectedRevision })).data;

export const removeProduct = async (id: ProductId): Promise<void> => {
  await api.delete(addressOf(id));
};

/** Uploads a picture and returns its URL. `onProgress` gets the share that was sent, from 0 to 1. */
export const uploadPicture = async (file: File, onProgress: (share: number) => void): Promise<string> => {
  const { data } = await api.post<{ readonly url: string }>('/product/pictures', file, {
    headers: { 'Content-Type': file.type || 'application/octet-stream' },
    onUploadProgress: ({ loaded, total }) => onProgress(total === undefined || total === 0 ? 0 : loaded / total),
  });
  return data.url;
};

/** Erases a guest's personal data from this order and all others of theirs; returns the server's message. */
export const eraseGuest = async (id: OrderId): Promise<string> =>
  (await api.post<{ message: string }>(`/admin/order/${encodeURIComponent(id)}/erase`)).data.message;

/** Refused with 409, `current` and `changedBy` when the order's status is no longer the one shown. */
export const moveOrder = async (id: OrderId, status: StaffStatus, note: string): Promise<OrderView> =>
  (await api.put<OrderView>(`/admin/order/${encodeURIComponent(id)}/status`, { status, note })).data;
