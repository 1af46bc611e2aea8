import { Link } from 'react-router-dom';
import type { OrderItemView, OrderView } from '#domain/order/view.ts';
import { dayText } from '../../../lib/dates.ts';
import { moneyText } from '../../../lib/money.ts';
import { Badge } from '../../../ui/Badge.tsx';
import { Picture } from '../../../ui/Picture.tsx';
import { numberOf } from '../order-number.ts';
import { detailsPath } from '../order-paths.ts';

/** Items that a card shows before the rest is only counted (specification, section 9). */
const SHOWN = 2;

export const OrderCard = ({ order }: { readonly order: OrderView }) => {
  const { items, status, placedAt, total } = order;
  const more = items.length - SHOWN;
  return (
    <li className="border-t border-sandal py-8 first:border-gold">
      <article className="grid items-start gap-x-10 gap-y-6 lg:grid-cols-[15rem_1fr_12rem]">
        <div className="flex items-start justify-between gap-4 lg:block">
          <div>
            <h2 className="figures text-[1.0625rem] font-medium">{numberOf(order)}</h2>
            {placedAt && <p className="mt-1 text-[0.875rem] text-clove">Placed {dayText(placedAt)}</p>}
          </div>
          <div className="lg:mt-4">
            <Badge status={status} />
          </div>
        </div>
        <div>
          <ul className="grid gap-5 sm:grid-cols-2">
            {items.slice(0, SHOWN).map((item) => (
              <Item key={item.product._id} item={item} />
            ))}
          </ul>
          {more > 0 && <p className="mt-5 text-[0.875rem] text-clove">+ {more} more items</p>}
        </div>
        <div className="flex items-center justify-between lg:flex-col lg:items-end lg:gap-2">
          <p className="figures text-[1.125rem] font-medium">{moneyText(total)}</p>
          <Link to={detailsPath(order._id)} className="link inline-flex min-h-11 items-center text-[0.9375rem] font-medium">
            View Details →<span className="sr-only"> of order {numberOf(order)}</span>
          </Link>
        </div>
      </article>
    </li>
  );
};

const Item = ({ item: { product, quantity } }: { readonly item: OrderItemView }) => (
  <li className="flex items-center gap-4">
    <Picture src={product.productImageUrl[0]} alt="" sizes="4.5rem" className="aspect-4/5 w-18 shrink-0 object-cover" />
    <div className="min-w-0">
      <p className="display text-[1.1875rem] leading-snug wrap-anywhere">{product.name}</p>
      <p className="figures mt-1 text-[0.875rem] text-clove">
        {quantity} x {product.price}
      </p>
    </div>
  </li>
);
