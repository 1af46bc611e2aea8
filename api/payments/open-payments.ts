import type { Logger } from 'pino';

import type { Config } from '../config.ts';
import type { Shop } from '../shop.ts';
import type { ShopMiddleware } from '../http/context.ts';
import type { TestGateway } from './gateway/test-gateway.ts';
import { openGateway } from './gateway/open-gateway.ts';
import { parseWebhook } from './gateway/webhook.ts';
import { paymentWebhook, type TakeSigned } from './payment-routes.ts';
import { runPaymentWorker } from './payment-worker.ts';
import { paymentsWith, type Payments } from './payment-service.ts';

export type OpenedPayments = {
  /** The value is undefined where no gateway is configured: then nobody can prepay. */
  readonly payments: Payments | undefined;
  /** Handles `/api/payment/webhook`. */
  readonly webhook: ShopMiddleware;
  /** Serves `/dev/payments` if the gateway is embedded. */
  readonly testPages: ShopMiddleware | undefined;
  /** The readiness check asks this. */
  readonly isGatewayAvailable: () => boolean;
  readonly testGateway: TestGateway | undefined;
  /** Runs reminders, cancellations of unpaid orders, and refunds until the signal is aborted. */
  work(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
};

const MINUTE = 60_000;

type PaymentConfig = Pick<Config, 'dataDir' | 'databaseUrl' | 'payments'>;

/** Opens the configured gateway and everything in the shop that uses it. */
export const openPayments = async (shop: Shop, config: PaymentConfig, publicUrl: string, log: Logger): Promise<OpenedPayments> => {
  const { now, db } = shop;
  const { reminderMinutes, windowMinutes } = config.payments;
  const window = windowMinutes * MINUTE;
  const opened = await openGateway(config, { db, now, log, publicUrl });
  const { gateway, webhookSecret: secret, middleware, testGateway } = opened;
  const payments = gateway && paymentsWith({ ...shop, gateway, publicUrl, window, log });
  const takeSigned: TakeSigned | undefined =
    payments && secret !== undefined ? (rawBody, headers) => payments.take(parseWebhook(rawBody, headers, secret)) : undefined;
  if (takeSigned) testGateway?.deliverTo(takeSigned);
  const work = async (signal: AbortSignal): Promise<void> => {
    if (gateway && payments)
      await runPaymentWorker({ ...shop, gateway, payments, reminder: reminderMinutes * MINUTE, window, log }, signal);
  };
  return {
    payments,
    webhook: paymentWebhook(takeSigned, log),
    testPages: middleware,
    isGatewayAvailable: () => gateway?.isAvailable() ?? true,
    testGateway,
    work,
    close: opened.close,
  };
};
