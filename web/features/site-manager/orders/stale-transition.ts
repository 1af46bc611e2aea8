import { orderStatuses, type OrderStatus } from '#domain/order/status.ts';
import { instant, type Instant } from '#domain/shared/instant.ts';
import { refusalOf } from '../../../lib/http/api.ts';

/** What a page that showed less than is true has to be told: where the order is, who brought it there, and when. */
export type StaleMove = { readonly status: OrderStatus; readonly by: string; readonly at: Instant };

const textAt = (value: unknown, key: string): string | undefined => {
  if (typeof value !== 'object' || value === null) return undefined;
  const found: unknown = Object.entries(value).find(([name]) => name === key)?.[1];
  return typeof found === 'string' ? found : undefined;
};

/** From the refusal of a move that came too late; undefined for every other. */
export const staleMoveIn = (error: unknown): StaleMove | undefined => {
  const { code, current, changedBy } = refusalOf(error);
  const status = orderStatuses.find((each) => each === textAt(current, 'status'));
  const [by, at] = [textAt(changedBy, 'name'), textAt(changedBy, 'at')];
  if (code !== 'illegal_transition' || !status || by === undefined || at === undefined) return undefined;
  return { status, by, at: instant(at) };
};
