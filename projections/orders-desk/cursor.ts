import { orderId, type OrderId } from '#domain/shared/ids.ts';
import { instant, type Instant } from '#domain/shared/instant.ts';

/** Where a page of the desk ends: what the list is ordered by, so pages neither repeat nor lose an order when others come. */
export type DeskPlace = { readonly placedAt: Instant; readonly id: OrderId };

export const cursorAt = ({ placedAt, id }: DeskPlace): string => Buffer.from(`${Date.parse(placedAt)} ${id}`).toString('base64url');

const CURSOR = /^(\d{1,15}) (\S+)$/;

/** `undefined` for what is no cursor of this list. */
export const placeFrom = (cursor: string): DeskPlace | undefined => {
  const [, milliseconds, id] = CURSOR.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (milliseconds === undefined || id === undefined) return undefined;
  try {
    return { placedAt: instant(new Date(Number(milliseconds)).toISOString()), id: orderId(id) };
  } catch {
    return undefined;
  }
};
