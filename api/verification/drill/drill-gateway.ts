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

const KEYS = { keyId: 'rzp_test_drill', keySecret: 'the-secret-of-the-key-of-the-drill' };
const WEBHOOK_SECRET = 'the-secret-of-the-webhooks-of-the-drill';

const RETRY_DELAY_MS = 200;
const ANSWERS_WITHIN = 8_000;
/** Late webhooks are sent after 5 s, so the gateway waits longer. */
const LATE = 6_000;

/** Keeps links in memory, so that the gateway does not fail with the shop's database. A closed link accepts no payment. */
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

/** Opens the test gateway as its own server. Like Razorpay it repeats each webhook until the shop has accepted it, in any order. */
export const openDrillGateway = async (shopUrls: () => readonly string[]) => {
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
              // Each of these headers has a single value.
              headers: headers as Record<string, string>,
              body: new Uint8Array(rawBody),
              signal: AbortSignal.timeout(ANSWERS_WITHIN),
            }).catch(() => undefined);
      await answer?.arrayBuffer().catch(() => undefined);
      if (answer?.ok === true) return;
      await pause(RETRY_DELAY_MS, undefined, { signal: closing.signal }).catch(() => {});
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
    /** Returns whether the shop has accepted all webhooks and no late one is pending. */
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
