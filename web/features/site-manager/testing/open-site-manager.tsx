import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { vi } from 'vitest';
import type { StaffProductView } from '#domain/product/view.ts';
import { DESKTOP, mediaThatHold, scrollByHand } from '../../../testing/in-view.ts';
import { getTexts } from '../../../testing/interactions.ts';
import { answerCalls, renderShop, type Answer, type Call } from '../../../testing/shop.tsx';
import type { AdminOrder, ContactMessage, Health, MoneyList, MoneyRow, Stats, StockChange, Subscriber } from '../admin-types.ts';
import type { LiveConnection } from '../live-updates.ts';
import { SiteManagerPage } from '../SiteManagerPage.tsx';
import { health, message, order, product, createSales, stats, subscriber } from './shop-data.ts';

type Given = Answer | Promise<Answer>;

/** A connection for server-sent events whose messages the test pushes. */
export class FakeLive implements LiveConnection {
  static latest: FakeLive | undefined;
  readyState = 0;
  private readonly listeners: { event: string; hear: (message: MessageEvent<string>) => void }[] = [];
  constructor() {
    FakeLive.latest = this;
  }
  addEventListener(event: string, hear: (message: MessageEvent<string>) => void) {
    this.listeners.push({ event, hear });
  }
  push(event: string, data: unknown = {}) {
    const message = new MessageEvent(event, { data: JSON.stringify(data) });
    for (const listener of this.listeners) if (listener.event === event) listener.hear(message);
  }
  close() {
    this.readyState = 2;
  }
}

export type Server = {
  stats: Stats;
  orders: AdminOrder[];
  products: StaffProductView[];
  subscribers: Subscriber[];
  messages: ContactMessage[];
  health: Health;
  payments: Partial<Record<MoneyList, MoneyRow[]>>;
  history: StockChange[];
  invoices: object[];
  /** The rows of the summary for the tax return. */
  taxed: object[];
  /** Overrides an answer, usually with a refusal. */
  instead: (call: Call) => Given | undefined;
};

const newServer = (): Server => ({
  stats,
  orders: [order()],
  products: [product()],
  subscribers: [subscriber('ananya@example.com'), subscriber('rhea@example.com', false)],
  messages: [message()],
  health,
  payments: {},
  history: [],
  invoices: [],
  taxed: [],
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

const answerFrom = (server: Server, { url, params }: Call): Answer => {
  const q = String(params['q'] ?? '').toLowerCase();
  const orders = server.orders.filter(
    ({ status, orderNumber, shippingAddress: { name } }) =>
      (params['status'] === undefined || params['status'] === status) && `${orderNumber} ${name}`.toLowerCase().includes(q),
  );
  switch (url) {
    case '/admin/stats':
      return found(server.stats);
    case '/admin/health':
      return found(server.health);
    case '/admin/sales':
      return found({ days: createSales(Number(params['days'])) });
    case '/admin/orders': {
      const { rows, next } = parted(orders, params);
      return found({ orders: rows, nextCursor: next });
    }
    case '/admin/payments': {
      const rows = Object.entries(server.payments).find(([status]) => status === params['status'])?.[1] ?? [];
      const part = parted(rows, params);
      const owed = rows.reduce((sum, { amount }) => sum + amount, 0);
      return found({ payments: part.rows, nextCursor: part.next, ...(params['status'] === 'with_couriers' && { owed }) });
    }
    case '/admin/stock': {
      const rows = server.products.flatMap(({ _id, name, stock }) =>
        stock && (params['low'] === undefined || stock.available <= (stock.lowAt ?? -1)) ? [{ _id, name, stock }] : [],
      );
      const part = parted(rows, params);
      return found({ products: part.rows, nextCursor: part.next });
    }
    case '/admin/invoices': {
      const { rows, next } = parted(server.invoices, params);
      return found({ invoices: rows, nextCursor: next });
    }
    case '/admin/invoices/summary':
      return found({ rows: server.taxed });
    case '/contact': {
      const { rows, next } = parted(server.messages, params);
      return found({ data: rows, nextCursor: next });
    }
    case '/subscribe':
      return linked(url, server.subscribers, params);
    case '/product':
      return linked(
        url,
        server.products.filter(({ name }) => name.toLowerCase().includes(q)),
        params,
      );
    default: {
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

export const openSiteManager = (panel = '', changes: Partial<Server> = {}) => {
  mediaThatHold(...DESKTOP);
  scrollByHand();
  vi.stubGlobal('EventSource', FakeLive);
  const server: Server = { ...newServer(), ...changes };
  const asked = answerCalls((call) => server.instead(call) ?? answerFrom(server, call));
  const admin = `admin-${(admins += 1)}`;
  const onProductsChanged = vi.fn<() => void>();
  const { router, view } = renderShop(
    [
      { path: '/admin/site-manager', element: <SiteManagerPage admin={admin} onProductsChanged={onProductsChanged} /> },
      { path: '*', element: <h1>Elsewhere</h1> },
    ],
    `/admin/site-manager${panel && `?panel=${panel}`}`,
  );
  return { server, asked, router, view, onProductsChanged };
};
