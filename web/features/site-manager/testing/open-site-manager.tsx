import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { vi } from 'vitest';
import { nextSteps } from '#domain/order/next-steps.ts';
import type { StaffRole } from '#domain/staff/duties.ts';
import type { StaffProductView } from '#domain/product/view.ts';
import { isLow } from '#domain/stock/view.ts';
import { DESKTOP, mediaThatHold, scrollByHand } from '../../../testing/in-view.ts';
import { FakeLive } from '../../../testing/fake-live.ts';
import { getTexts } from '../../../testing/interactions.ts';
import { answerCalls, renderShop, type Answer, type Call } from '../../../testing/shop.tsx';
import type { AdminOrder, ContactMessage, Health, MoneyList, MoneyRow, Stats, StockChange, Subscriber } from '../admin-types.ts';
import type { Customer, CustomerRow } from '../customers/customers-api.ts';
import { isOverdue, nextDeed } from '../orders/next-deed.ts';
import type { DeskReview } from '../reviews/desk-reviews-api.ts';
import type { ReturnRow } from '../returns/returns-api.ts';
import { SiteManagerPage } from '../SiteManagerPage.tsx';
// The panels are loaded before the first test, since on a busy machine that takes longer than a query waits.
import '../customers/CustomersPanel.tsx';
import '../invoices/InvoicesPanel.tsx';
import '../money/MoneyPanel.tsx';
import '../messages/MessagesPanel.tsx';
import '../reviews/ReviewsPanel.tsx';
import '../panels/SubscribersPanel.tsx';
import '../products/ProductsPanel.tsx';
import '../returns/ReturnsPanel.tsx';
import '../sales/SalesPanel.tsx';
import '../staff/StaffPanel.tsx';
import '../stock/StockPanel.tsx';
import '../tax/TaxPanel.tsx';
import { health, message, noon, order, product, createSales, stats, subscriber, sumPayments } from './shop-data.ts';

export { FakeLive };

type Given = Answer | 'gone' | Promise<Answer | 'gone'>;

export type Server = {
  stats: Stats;
  orders: AdminOrder[];
  products: StaffProductView[];
  subscribers: Subscriber[];
  messages: ContactMessage[];
  reviews: DeskReview[];
  health: Health;
  payments: Partial<Record<MoneyList, MoneyRow[]>>;
  history: StockChange[];
  invoices: object[];
  /** The rows of the summary for the tax return. */
  taxed: object[];
  returns: ReturnRow[];
  customers: Customer[];
  /** Overrides an answer, usually with a refusal. */
  instead: (call: Call) => Given | undefined;
};

const newServer = (): Server => ({
  stats,
  orders: [order()],
  products: [product()],
  subscribers: [subscriber('ananya@example.com'), subscriber('rhea@example.com', false)],
  messages: [message()],
  reviews: [],
  health,
  payments: {},
  history: [],
  invoices: [],
  taxed: [],
  returns: [],
  customers: [],
  instead: () => undefined,
});

const found = (data: unknown, headers: Record<string, string> = {}): Answer => ({ data, headers });

const parted = <Row,>(rows: readonly Row[], { cursor, limit }: Call['params']) => {
  const from = Number(cursor ?? 0);
  const next = from + Number(limit);
  return { rows: rows.slice(from, next), next: next < rows.length ? String(next) : null };
};

const linked = <Row,>(path: string, rows: readonly Row[], params: Call['params']): Answer => {
  const part = parted(rows, params);
  const link = part.next === null ? {} : { link: `</api${path}?cursor=${part.next}>; rel="next"` };
  return found(part.rows, { 'x-total-count': String(rows.length), ...link });
};

const toRow = ({ _id, name, email, guest, sums, orders }: Customer): CustomerRow => ({
  _id,
  name,
  email,
  guest,
  orders: sums.orders,
  total: sums.spent,
  lastOrderAt: orders[0]?.placedAt ?? null,
});

const answerFrom = (server: Server, { url, params }: Call): Answer => {
  const q = String(params['q'] ?? '').toLowerCase();
  const orders = server.orders.filter(
    ({ status, orderNumber, shippingAddress: { name } }) =>
      (params['status'] ?? status) === status &&
      (params['number'] ?? orderNumber) === orderNumber &&
      `${orderNumber} ${name}`.toLowerCase().includes(q),
  );
  const isIn = (step: string) => (one: AdminOrder) => {
    if (step === 'decide') return one.return?.status === 'requested';
    return step === 'overdue' ? isOverdue(one) : nextDeed(one) === step;
  };
  switch (url) {
    case '/admin/stats':
      return found(server.stats);
    case '/admin/health':
      return found(server.health);
    case '/admin/sales':
      return found(createSales(Number(params['days'])));
    case '/admin/orders': {
      const step = params['next'];
      const { rows, next } = parted(step === undefined ? orders : orders.filter(isIn(String(step))), params);
      return found({ orders: rows, nextCursor: next });
    }
    case '/admin/orders/next':
      return found(Object.fromEntries(nextSteps.map((step) => [step, server.orders.filter(isIn(step)).length])));
    case '/admin/payments': {
      const rows = Object.entries(server.payments).find(([status]) => status === params['status'])?.[1] ?? [];
      const part = parted(rows, params);
      return found({ payments: part.rows, nextCursor: part.next });
    }
    case '/admin/payments/summary':
      return found(sumPayments(server.payments));
    case '/admin/stock': {
      const all = server.products.map(({ _id, name, inStock, productImageUrl, stock }) => {
        const counted = stock ? { at: noon, by: 'Mira' } : null;
        return { _id, name, inStock, productImageUrl, stock, counted };
      });
      const lists: Readonly<Record<string, typeof all>> = {
        all,
        counted: all.filter(({ stock }) => stock),
        low: all.filter(({ stock }) => isLow(stock)),
        out: all.filter(({ stock }) => stock?.available === 0),
        uncounted: all.filter(({ stock }) => !stock),
      };
      const part = parted(
        (lists[String(params['list'])] ?? all).filter(({ name }) => name.toLowerCase().includes(q)),
        params,
      );
      const counts = Object.fromEntries(Object.entries(lists).map(([list, rows]) => [list, rows.length]));
      return found({ products: part.rows, nextCursor: part.next, counts });
    }
    case '/admin/returns': {
      const { rows, next } = parted(server.returns, params);
      const count = (status: string): number => server.returns.filter((each) => each.status === status).length;
      const counts = { requested: count('requested'), accepted: count('accepted'), to_refund: 0 };
      return found({ returns: rows, nextCursor: next, counts });
    }
    case '/admin/customers': {
      const { customers } = server;
      const wanted = customers.filter(
        ({ guest, name, email }) => (params['guest'] ?? guest) === guest && `${name} ${email}`.toLowerCase().includes(q),
      );
      const { rows, next } = parted(wanted.map(toRow), params);
      const guests = customers.filter(({ guest }) => guest).length;
      const counts = { all: customers.length, accounts: customers.length - guests, guests };
      return found({ customers: rows, nextCursor: next, ...(q === '' && params['cursor'] === undefined && { counts }) });
    }
    case '/admin/invoices': {
      const { rows, next } = parted(server.invoices, params);
      return found({ invoices: rows, nextCursor: next });
    }
    case '/admin/invoices/summary':
      return found({ rows: server.taxed });
    case '/contact': {
      const wanted = server.messages.filter(
        ({ state, name }) => (params['state'] ?? state) === state && name.toLowerCase().includes(String(params['q'] ?? '').toLowerCase()),
      );
      const { rows, next } = parted(wanted, params);
      return found({ data: rows, nextCursor: next, waiting: server.messages.filter(({ state }) => state === 'new').length });
    }
    case '/admin/reviews': {
      const { reviews } = server;
      const counts = {
        all: reviews.length,
        new: reviews.filter(({ isNew }) => isNew).length,
        hidden: reviews.filter(({ hidden }) => hidden).length,
      };
      const { rows, next } = parted(
        reviews.filter(({ isNew, hidden }) => ({ new: isNew, hidden })[String(params['list'])] ?? true),
        params,
      );
      return found({ reviews: rows, nextCursor: next, counts });
    }
    case '/subscribe':
      return linked(url, server.subscribers, params);
    case '/admin/products/counts': {
      const count = (has: (one: StaffProductView) => boolean): number => server.products.filter(has).length;
      return found({
        all: server.products.length,
        outOfStock: count(({ inStock }) => !inStock),
        featured: count(({ isFeatured }) => isFeatured),
        bestsellers: count(({ bestsellers }) => bestsellers),
        trending: count(({ isTrending }) => isTrending),
        withoutPicture: count(({ productImageUrl }) => productImageUrl.length === 0),
        low: count(({ stock }) => isLow(stock)),
      });
    }
    case '/product':
      return linked(
        url,
        server.products.filter(
          ({ name, inStock, productImageUrl }) =>
            name.toLowerCase().includes(q) &&
            (params['inStock'] ?? inStock) === inStock &&
            (params['pictured'] === undefined || productImageUrl.length === 0),
        ),
        params,
      );
    default: {
      const customer = server.customers.find(({ _id }) => url === `/admin/customers/${_id}`);
      if (customer) return found(customer);
      const counted = server.products.find(({ _id }) => url === `/admin/stock/${_id}`);
      if (counted) return found({ stock: counted.stock, history: server.history });
      return url.endsWith('/prices') ? found({ prices: [] }) : { status: 404, data: { message: 'Not found', code: 'not_found' } };
    }
  }
};

/** Gives an answer to the calls of this path, to be used as `instead`. */
export const at =
  (path: string, answer: Given | ((call: Call) => Given | undefined)): Server['instead'] =>
  (call) =>
    call.url === path ? (typeof answer === 'function' ? answer(call) : answer) : undefined;

/** Gives an answer to all commands, to be used as `instead`. */
export const toCommands =
  (answer: Given | ((call: Call) => Given)): Server['instead'] =>
  (call) =>
    call.body === undefined ? undefined : typeof answer === 'function' ? answer(call) : answer;

/** Presses a button that opens a dialog, and returns that dialog. */
export const openDialog = async (button: string, role: 'dialog' | 'alertdialog' = 'dialog') => {
  await userEvent.click(await screen.findByRole('button', { name: button }));
  return within(await screen.findByRole(role));
};

/** Returns the text of each row of a table below its head. */
export const getRowTexts = (table: Pick<ReturnType<typeof within>, 'getAllByRole'> = screen) =>
  getTexts(table.getAllByRole('row').slice(1));

/** Each test has another admin, and so lists of its own. */
let admins = 0;

export const openSiteManager = (panel = '', changes: Partial<Server> = {}, roles: readonly StaffRole[] = ['owner']) => {
  mediaThatHold(...DESKTOP);
  scrollByHand();
  vi.stubGlobal('EventSource', FakeLive);
  const server: Server = { ...newServer(), ...changes };
  const asked = answerCalls((call) => server.instead(call) ?? answerFrom(server, call));
  const admin = `admin-${(admins += 1)}`;
  const onProductsChanged = vi.fn<() => void>();
  const { router, view } = renderShop(
    [
      { path: '/admin/site-manager', element: <SiteManagerPage admin={admin} roles={roles} onProductsChanged={onProductsChanged} /> },
      { path: '*', element: <h1>Elsewhere</h1> },
    ],
    `/admin/site-manager${panel && `?panel=${panel}`}`,
  );
  return { server, asked, router, view, onProductsChanged };
};
