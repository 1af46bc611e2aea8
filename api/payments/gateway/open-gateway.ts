import type { Logger } from 'pino';

import type { Instant } from '#domain/shared/time.ts';

import type { Config } from '../../config.ts';
import type { ShopMiddleware } from '../../http/context.ts';
import { readOrCreateSecret } from '../../platform/data-dir.ts';
import type { ShopDatabase } from '../../platform/postgres/shop-tables.ts';
import type { Gateway } from './gateway.ts';
import { testGatewayRoutes } from './test-gateway-routes.ts';
import { createTestLinks } from './test-gateway-rows.ts';
import { testGatewayWire } from './test-gateway-wire.ts';
import { testGateway, type TestGateway } from './test-gateway.ts';

type GatewayConfig = Pick<Config, 'dataDir' | 'databaseUrl'> & { readonly payments: Pick<Config['payments'], 'razorpay'> };

type Parts = {
  readonly db: ShopDatabase;
  readonly now: () => Instant;
  readonly log: Logger;
  readonly publicUrl: string;
};

export type OpenedGateway = {
  /** The value is undefined in production without keys: then nobody can prepay. */
  readonly gateway: Gateway | undefined;
  /** Serves `/dev/payments` if the gateway is embedded. */
  readonly middleware: ShopMiddleware | undefined;
  readonly webhookSecret: string | undefined;
  /** The embedded one. */
  readonly testGateway: TestGateway | undefined;
  close(): Promise<void>;
};

/** This key belongs to the API of the embedded gateway; the webhook secret is its secret. */
const TEST_KEY = 'rzp_test_embedded';
const ROOT = '/dev/payments';

const closed = (): Promise<void> => Promise.resolve();

/** Opens Razorpay if there are keys, and otherwise the embedded test gateway if the database is embedded too. */
export const openGateway = async ({ dataDir, databaseUrl, payments }: GatewayConfig, parts: Parts): Promise<OpenedGateway> => {
  const none = { gateway: undefined, middleware: undefined, webhookSecret: undefined, testGateway: undefined, close: closed };
  if (payments.razorpay) {
    const { webhookSecret, ...keys } = payments.razorpay;
    // The library is loaded only when Razorpay is configured.
    const { razorpayGateway } = await import('./razorpay-gateway.ts');
    return { ...none, gateway: razorpayGateway(keys), webhookSecret };
  }
  if (databaseUrl !== undefined) return none;
  const { publicUrl, db, ...rest } = parts;
  const webhookSecret = await readOrCreateSecret(dataDir, 'payments-webhook-secret');
  const gateway = testGateway({ ...rest, links: createTestLinks(db, rest.now), webhookSecret, urlOf: (id) => `${publicUrl}${ROOT}/${id}` });
  const wire = testGatewayWire(gateway.core, { root: `${ROOT}/v1`, keyId: TEST_KEY, keySecret: webhookSecret });
  const routes = testGatewayRoutes(gateway);
  return {
    gateway,
    middleware: (ctx, next) => wire(ctx, () => Promise.resolve(routes(ctx, next))),
    webhookSecret,
    testGateway: gateway,
    close: gateway.close,
  };
};
