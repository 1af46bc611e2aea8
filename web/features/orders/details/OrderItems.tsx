import type { OrderItemView, OrderView } from '#domain/order/view.ts';
import { parsePrice } from '#domain/shared/money.ts';
import { scentLine } from '../../../lib/scent-line.ts';
import { Picture } from '../../../ui/Picture.tsx';
import { lineTotalText } from '../summary/summary-lines.ts';

/** Every line as it was sold. */
export const OrderItems = ({ items }: Pick<OrderView, 'items'>) => (
  <section aria-labelledby="items-title">
    <h2 id="items-title" className="display text-h2">
      Your perfumes
    </h2>
    <ul className="mt-6 border-t border-sandal">
      {items.map((item) => (
        <Item key={item.product._id} item={item} />
      ))}
    </ul>
  </section>
);

const Item = ({ item: { product, quantity } }: { readonly item: OrderItemView }) => (
  <li className="flex gap-5 border-b border-sandal py-5 sm:gap-7">
    <Picture src={product.productImageUrl[0]} alt="" sizes="6rem" className="aspect-4/5 w-20 shrink-0 self-start object-cover sm:w-24" />
    <div className="flex min-w-0 flex-1 flex-col justify-center sm:flex-row sm:items-center sm:justify-between sm:gap-6">
      <div className="min-w-0">
        <p className="display text-h3 wrap-anywhere">{product.name}</p>
        <p className="mt-1 text-[0.875rem] text-clove">{scentLine(product.details)}</p>
        <p className="figures mt-1 text-[0.875rem] text-clove">Quantity {quantity}</p>
      </div>
      <p className="figures font-medium max-sm:mt-2">{lineTotalText({ unitPrice: parsePrice(product.price), quantity })}</p>
    </div>
  </li>
);
