import type { Logger } from 'pino';

import type { Instant } from '#domain/shared/time.ts';

import type { Config } from '../../config.ts';
import type { ShopMiddleware } from '../../http/context.ts';
import { secretIn } from '../../platform/data-dir.ts';
import type { ShopDatabase } from '../../platform/postgres/shop-tables.ts';
import type { Gateway } from './gateway.ts';
import { testGatewayRoutes } from './test-gateway-routes.ts';
import { testLinksIn } from './test-gateway-rows.ts';
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
  /** Undefined in production without keys: nobody can pay in advance. */
  readonly gateway: Gateway | undefined;
  /** `/dev/payments`, if the gateway is embedded. */
  readonly middleware: ShopMiddleware | undefined;
  readonly webhookSecret: string | undefined;
  /** The embedded one. */
  readonly testGateway: TestGateway | undefined;
  close(): Promise<void>;
};

/** Of the API of the embedded gateway; its secret is that of its webhooks. */
const TEST_KEY = 'rzp_test_embedded';
const ROOT = '/dev/payments';

const closed = (): Promise<void> => Promise.resolve();

/** Razorpay with keys, else a test gateway in the process if the database is embedded too. */
export const openGateway = async ({ dataDir, databaseUrl, payments }: GatewayConfig, parts: Parts): Promise<OpenedGateway> => {
  const none = { gateway: undefined, middleware: undefined, webhookSecret: undefined, testGateway: undefined, close: closed };
  if (payments.razorpay) {
    const { webhookSecret, ...keys } = payments.razorpay;
    // Loaded only where it is wanted.
    const { razorpayGateway } = await import('./razorpay-gateway.ts');
    return { ...none, gateway: razorpayGateway(keys), webhookSecret };
  }
  if (databaseUrl !== undefined) return none;
  const { publicUrl, db, ...rest } = parts;
  const webhookSecret = await secretIn(dataDir, 'payments-webhook-secret');
  const gateway = testGateway({ ...rest, links: testLinksIn(db, rest.now), webhookSecret, urlOf: (id) => `${publicUrl}${ROOT}/${id}` });
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
