import { setTimeout as pause } from 'node:timers/promises';
import Koa from 'koa';

import { instant } from '#domain/shared/time.ts';

import type { State } from '../../http/context.ts';
import type { WebhookHeaders } from '../../payments/gateway/webhook.ts';
import { testGatewayRoutes } from '../../payments/gateway/test-gateway-routes.ts';
import type { TestLink, TestLinks } from '../../payments/gateway/test-gateway-rows.ts';
import { testGatewayWire } from '../../payments/gateway/test-gateway-wire.ts';
import { testGateway } from '../../payments/gateway/test-gateway.ts';
import { listening } from '../../testing/listening.ts';

export type DrillGateway = {
  /** Of its API, and of the pages where people pay. */
  readonly url: string;
  /** For the shop's processes. */
  readonly env: Readonly<Record<string, string>>;
  /** All links that were ever opened, with their payments and refunds. */
  readonly links: () => readonly TestLink[];
  /** Whether the shop has taken all webhooks, and none comes late. */
  readonly isQuiet: () => boolean;
  /** No call is answered until `comeBack`. */
  goAway(): void;
  comeBack(): void;
  close(): Promise<void>;
};

const KEYS = { keyId: 'rzp_test_drill', keySecret: 'the-secret-of-the-key-of-the-drill' };
const WEBHOOK_SECRET = 'the-secret-of-the-webhooks-of-the-drill';

/** In ms. */
const AGAIN_AFTER = 200;
const ANSWERS_WITHIN = 8_000;
/** Late webhooks come after 5 s. */
const LATE = 6_000;

/** In memory: a gateway does not fail with the shop's database. A closed link takes no money. */
const linksInMemory = (): TestLinks & { readonly all: () => readonly TestLink[] } => {
  const links = new Map<string, TestLink>();
  const found = (is: (link: TestLink) => boolean) => Promise.resolve([...links.values()].find(is));
  const add = (link: TestLink): TestLink | undefined => {
    if ([...links.values()].some(({ referenceId }) => referenceId === link.referenceId)) return undefined;
    links.set(link.id, link);
    return link;
  };
  const all = () => [...links.values()];
  return {
    all,
    add: (link) => Promise.resolve(add(link)),
    byId: (id) => Promise.resolve(links.get(id)),
    byReferenceId: (referenceId) => found((link) => link.referenceId === referenceId),
    ofPayment: (payment) => found(({ payments }) => payments.some(({ id }) => id === payment)),
    withPendingRefunds: () => Promise.resolve([]),
    newest: (limit) => Promise.resolve(all().toReversed().slice(0, limit)),
    change: async (id, change) => {
      const before = links.get(id);
      if (!before) return undefined;
      const { link, result } = change(before);
      if (before.status === 'cancelled' && link.payments.length > before.payments.length) throw new Error('A closed link takes no money');
      links.set(id, link);
      return result;
    },
  };
};

/** The test gateway as a server of its own. Like Razorpay it repeats each webhook until the shop has taken it, in whatever order. */
export const openDrillGateway = async (shopUrls: () => readonly string[]): Promise<DrillGateway> => {
  const links = linksInMemory();
  const underWay = new Set<Promise<void>>();
  const closing = new AbortController();
  let lastAsked = -Infinity;

  const take = async (rawBody: Buffer, headers: WebhookHeaders): Promise<void> => {
    for (let attempt = 0; !closing.signal.aborted; attempt++) {
      const urls = shopUrls();
      const url = urls[attempt % urls.length];
      const answer =
        url === undefined
          ? undefined
          : await fetch(new URL('/api/payment/webhook', url), {
              method: 'POST',
              // Each has one value.
              headers: headers as Record<string, string>,
              body: new Uint8Array(rawBody),
              signal: AbortSignal.timeout(ANSWERS_WITHIN),
            }).catch(() => undefined);
      await answer?.arrayBuffer().catch(() => undefined);
      if (answer?.ok === true) return;
      await pause(AGAIN_AFTER, undefined, { signal: closing.signal }).catch(() => {});
    }
  };
  const deliver = (rawBody: Buffer, headers: WebhookHeaders): Promise<void> => {
    const taken = take(rawBody, headers).finally(() => underWay.delete(taken));
    underWay.add(taken);
    return Promise.resolve();
  };

  const app = new Koa<State>();
  app.silent = true;
  const gateway = testGateway({
    links,
    now: () => instant(new Date().toISOString()),
    log: { warn: () => {} },
    webhookSecret: WEBHOOK_SECRET,
    urlOf: (id) => `${server.url}/dev/payments/${id}`,
  });
  gateway.deliverTo(deliver);
  app.use((ctx, next) => {
    if (ctx.path.startsWith('/dev/')) lastAsked = performance.now();
    return next();
  });
  app.use(testGatewayWire(gateway.core, { root: '/v1', ...KEYS }));
  app.use(testGatewayRoutes(gateway));
  const server = await listening(app.callback());

  return {
    url: server.url,
    env: {
      RAZORPAY_KEY_ID: KEYS.keyId,
      RAZORPAY_KEY_SECRET: KEYS.keySecret,
      RAZORPAY_WEBHOOK_SECRET: WEBHOOK_SECRET,
      RAZORPAY_URL: server.url,
    },
    links: links.all,
    isQuiet: () => underWay.size === 0 && performance.now() - lastAsked > LATE,
    goAway: gateway.beUnreachable,
    comeBack: gateway.beReachable,
    close: async () => {
      closing.abort();
      await gateway.close();
      await Promise.all(underWay);
      await server.close();
    },
  };
};
