import { configureStore } from '@reduxjs/toolkit';
import * as fc from 'fast-check';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { Provider } from 'react-redux';
import { MemoryRouter } from 'react-router-dom';
import { expect, test } from 'vitest';
import type { CartView } from '#domain/cart/view.ts';
import { logPosition, type EventMetadata } from '#domain/event-store.ts';
import { invoices } from '#domain/invoice/invoice.ts';
import { viewInvoice } from '#domain/invoice/view.ts';
import { viewOrder, type OrderView } from '#domain/order/view.ts';
import type { Totals } from '#domain/order/totals.ts';
import { formatRupees } from '#domain/shared/money.ts';
import { anySale, differences, type Costs, type Sale } from '#domain/testing/any-sale.ts';
import { anOrder } from '#domain/testing/carts.ts';
import { deliveryDay, orderAfter } from '#domain/testing/orders.ts';
import { paymentAfter } from '#domain/testing/payments.ts';
import { CartLines } from '../features/cart/CartLines.tsx';
import { CartSummary } from '../features/cart/CartSummary.tsx';
import { cartFetched, cartSlice, itemAdded, selectCart, selectCartTotals } from '../features/cart/cart-slice.ts';
import { catalogueApi } from '../features/catalogue/catalogue-api.ts';
import { CheckoutPage } from '../features/orders/checkout/CheckoutPage.tsx';
import { checkoutSlice, formTyped } from '../features/orders/checkout/checkout-slice.ts';
import { InvoiceSheet } from '../features/orders/invoice/InvoiceSheet.tsx';
import { PlacedOrder } from '../features/orders/details/PlacedOrder.tsx';
import { orderSlice } from '../features/orders/order-slice.ts';
import { DraftReview } from '../features/orders/review/DraftReview.tsx';
import { lineTotalText, linesOfCart, linesOfOrder, totalsOfCart, totalsOfOrder } from '../features/orders/summary/summary-lines.ts';
import { rowsAfter, rowsBefore } from '../features/orders/summary/TotalsList.tsx';
import { shopApi } from '../lib/http/shop-api.ts';
import { moneyText } from '../lib/format.ts';
import { taxRows } from '../lib/tax-rows.ts';
import { inject, reducer } from './reducer.ts';

inject({ slices: [orderSlice, checkoutSlice] });

const isLongRun = import.meta.env['LONG_RUN'] === 'true';
const SALES = isLongRun ? 10_000 : 300;
const PAGES = isLongRun ? 100 : 20;

/** Returns paise: `₹2,450.00` becomes 245000. */
const inText = (text: string): number => Number(text.replaceAll(/[₹,.]/g, ''));

type Row = { readonly label: string; readonly text: string };

/** Reads the amounts in rows of a summary. A single tax rate has no row of its own and is read from the label of the tax. */
const inRows = (rows: readonly Row[]): Partial<Costs> => {
  const amount = (...labels: readonly (string | undefined)[]): number =>
    inText(rows.find(({ label }) => labels.includes(label))?.text ?? '₹0.00');
  const single = rows.flatMap(({ label }) => /^Tax \((.*)%\)$/.exec(label) ?? []);
  const tax = amount('Tax', 'Taxes', single[0]);
  const rates = rows.flatMap(({ label, text }) => {
    const [, rate, taxable = ''] = /^(.*)% of (.*)$/.exec(label) ?? [];
    return rate === undefined ? [] : [{ rate: Number(rate), taxable: inText(taxable), tax: inText(text) }];
  });
  const subtotal = amount('Subtotal');
  if (single[1] !== undefined) rates.push({ rate: Number(single[1]), taxable: subtotal, tax });
  return { ...(rates.length > 0 && { rates }), subtotal, tax, giftWrap: amount('Gift Wrap'), total: amount('Total') };
};
const withTotal = (rows: readonly Row[], { total }: Totals): Partial<Costs> =>
  inRows([...rows, { label: 'Total', text: formatRupees(total) }]);

const ordersOf = ({ draft, order, payment }: Sale): { readonly review: OrderView; readonly confirmation: OrderView } => ({
  review: viewOrder(anOrder, draft),
  confirmation: viewOrder(anOrder, orderAfter(...order), paymentAfter(...payment)),
});

const withoutWrap = (costs: Costs): Costs => ({ ...costs, giftWrap: 0, total: costs.total - costs.giftWrap });

/** The cart as it is shown before the server has confirmed the last bottle added to its first line. */
const lastBottlePending = ({ items, totalCartValue }: CartView) => {
  const [{ product, quantity } = { product: undefined, quantity: 1 }, ...others] = items;
  if (!product || quantity === 1) return cartSlice.reducer(undefined, cartFetched({ items, totalCartValue }));
  const before = [{ ...items[0], product, productId: product._id, quantity: quantity - 1 }, ...others];
  return cartSlice.reducer(cartSlice.reducer(undefined, cartFetched({ items: before, totalCartValue })), itemAdded(product, 1));
};

const checkTexts = (sale: Sale): readonly string[] => {
  const { cart, costs } = sale;
  const cartIn = (state: ReturnType<typeof cartSlice.reducer>): Partial<Costs> => {
    const shown = { cart: state };
    const totals = selectCartTotals(shown);
    const rows = [{ label: 'Subtotal', text: formatRupees(totals.subtotal) }, ...taxRows(totals)];
    return selectCart(shown).total === costs.subtotal / 100 ? withTotal(rows, totals) : { total: Number.NaN };
  };
  const lines = linesOfCart(cart.items);
  const checkout = totalsOfCart(lines, costs.giftWrap > 0);
  const { review, confirmation } = ordersOf(sale);
  const [reviewed, confirmed] = [totalsOfOrder(review), totalsOfOrder(confirmation)];
  return [
    ...differences(withoutWrap(costs), {
      cart: cartIn(cartSlice.reducer(undefined, cartFetched(cart))),
      'pending cart': cartIn(lastBottlePending(cart)),
    }),
    ...differences(costs, {
      checkout: { lines: lines.map(lineTotalText).map(inText), ...withTotal(rowsBefore(checkout), checkout) },
      review: { lines: linesOfOrder(review).map(lineTotalText).map(inText), ...withTotal(rowsBefore(reviewed), reviewed) },
      confirmation: withTotal(rowsAfter(confirmed), confirmed),
      'My Orders': { total: inText(moneyText(confirmation.total)) },
      'amount to pay': { total: inText(moneyText(confirmation.payment.amount)) },
    }),
  ];
};

test(`${SALES} orders cost the same to the paisa in cart, checkout, review and confirmation`, () =>
  fc.assert(
    fc.property(anySale, (sale) => void expect(checkTexts(sale)).toEqual([])),
    { numRuns: SALES },
  ));

const rowsIn = (html: string): readonly Row[] =>
  [...html.matchAll(/<dt[^>]*>(.*?)<\/dt><dd[^>]*>(.*?)<\/dd>/g)].map(([, label = '', text = '']) => ({ label, text }));

const inInvoice = ({ order, sellerState: state, placeOfSupply }: Sale): Partial<Costs> => {
  const { placement, ...placed } = orderAfter(...order);
  if (!placement) throw new Error('Every sale is placed');
  const seller = { name: 'RUHANI', address: 'Lane 1, Kannauj 209725, India', state };
  const command = { type: 'IssueInvoice', id: anOrder, order: { ...placed, placement }, seller, isErased: false } as const;
  const issued = invoices.decide(invoices.initial, { ...command, shippedAt: deliveryDay, now: deliveryDay });
  const [event] = issued.ok ? issued.events : [];
  if (!event) throw new Error('No invoice');
  const place = { stream: 'invoices-2026-2027', revision: 0, position: logPosition(1n), metadata: {} as EventMetadata } as const;
  const invoice = { ...viewInvoice({ ...event, ...place }), totalInWords: '' };
  const html = renderToStaticMarkup(<InvoiceSheet id={anOrder} invoice={invoice} />);
  const rows = rowsIn(html);
  const row = (name: string): number => inText(rows.find(({ label }) => label === name)?.text ?? '₹0.00');
  const taxes = rows.flatMap(({ label, text }) => {
    const [, part, rate, taxable = ''] = /^([CSI]GST) (.*)% on (.*)$/.exec(label) ?? [];
    return part === undefined ? [] : [{ rate: Number(rate) * (part === 'IGST' ? 1 : 2), taxable: inText(taxable), tax: inText(text) }];
  });
  const taxOf = (some: typeof taxes): number => some.reduce((all, { tax }) => all + tax, 0);
  if (invoice.placeOfSupply !== placeOfSupply) throw new Error(`Supplied in ${invoice.placeOfSupply}`);
  return {
    lines: [...html.matchAll(/Taxable value<\/span><span>(₹[\d,.]+)<\/span><\/td>/g)].map(([, amount = '']) => inText(amount)),
    rates: [...new Set(taxes.map(({ rate }) => rate))].map((rate) => {
      const own = taxes.filter((each) => each.rate === rate);
      return { rate, taxable: own[0]?.taxable ?? 0, tax: taxOf(own) };
    }),
    subtotal: row('Taxable value'),
    tax: taxOf(taxes),
    giftWrap: row('Gift wrap, untaxed'),
    total: row('Total'),
  };
};

const inPage = (store: ReturnType<typeof shop>, page: ReactNode): Partial<Costs> => {
  const html = renderToStaticMarkup(
    <Provider store={store}>
      <MemoryRouter>{page}</MemoryRouter>
    </Provider>,
  );
  return inRows(rowsIn(html));
};

const shop = () => configureStore({ reducer, middleware: (defaults) => defaults().concat(catalogueApi.middleware, shopApi.middleware) });

const checkPages = (sale: Sale): readonly string[] => {
  const { cart, costs } = sale;
  const store = shop();
  store.dispatch(cartFetched(cart));
  store.dispatch(formTyped({ giftWrap: costs.giftWrap > 0 }));
  const { review, confirmation } = ordersOf(sale);
  const ofCheckout = {
    cart: { items: cart.items, known: true, onRepeat: () => {} },
    shopper: null,
    provider: undefined,
    signIn: '/signin',
  };
  return [
    ...differences(withoutWrap(costs), {
      'page of the cart': inPage(store, [
        <CartLines key="1" items={cart.items} onRemoved={() => {}} />,
        <CartSummary key="2" items={cart.items} />,
      ]),
    }),
    ...differences(costs, {
      'page of the checkout': inPage(store, <CheckoutPage {...ofCheckout} />),
      'page of the review': inPage(store, <DraftReview order={review} loading={false} failure={null} />),
      'page of the confirmation': inPage(
        store,
        <PlacedOrder
          order={confirmation}
          Newsletter={undefined}
          onErased={undefined}
          returnsTo={[]}
          mayReview={false}
          readsInvoices={false}
        />,
      ),
      'printed invoice': inInvoice(sale),
    }),
  ];
};

test(`${PAGES} orders do so on the pages`, () =>
  fc.assert(
    fc.property(anySale, (sale) => void expect(checkPages(sale)).toEqual([])),
    { numRuns: PAGES },
  ));
