import type { Logger } from 'pino';

import type { Config } from '../config.ts';
import type { Shop } from '../shop.ts';
import { openGateway } from './gateway/open-gateway.ts';
import { parseWebhook } from './gateway/webhook.ts';
import { paymentWebhook, type TakeSigned } from './payment-routes.ts';
import { runPaymentWorker } from './payment-worker.ts';
import { paymentsWith } from './payment-service.ts';

const MINUTE = 60_000;

type PaymentConfig = Pick<Config, 'dataDir' | 'databaseUrl' | 'payments' | 'rateLimitFactor'>;

/** Opens the configured gateway and everything in the shop that uses it. */
export const openPayments = async (shop: Shop, config: PaymentConfig, publicUrl: string, log: Logger) => {
  const { now, db } = shop;
  const { reminderMinutes, windowMinutes } = config.payments;
  const window = windowMinutes * MINUTE;
  const opened = await openGateway(config, { db, now, log, publicUrl });
  const { gateway, webhookSecret: secret, middleware, testGateway } = opened;
  const payments = gateway && paymentsWith({ ...shop, gateway, publicUrl, window, rateLimitFactor: config.rateLimitFactor, log });
  const takeSigned: TakeSigned | undefined =
    payments && secret !== undefined ? (rawBody, headers) => payments.take(parseWebhook(rawBody, headers, secret)) : undefined;
  if (takeSigned) testGateway?.deliverTo(takeSigned);
  /** Runs reminders, cancellations of unpaid orders, and refunds until the signal is aborted. */
  const work = async (signal: AbortSignal): Promise<void> => {
    if (gateway && payments)
      await runPaymentWorker({ ...shop, gateway, payments, reminder: reminderMinutes * MINUTE, window, log }, signal);
  };
  return {
    /** The value is undefined where no gateway is configured: then nobody can prepay. */
    payments,
    /** Handles `/api/payment/webhook`. */
    webhook: paymentWebhook(takeSigned, log),
    /** Serves `/dev/payments` if the gateway is embedded. */
    testPages: middleware,
    /** The readiness check asks this. */
    isGatewayAvailable: (): boolean => gateway?.isAvailable() ?? true,
    testGateway,
    work,
    close: opened.close,
  };
};

export type OpenedPayments = Readonly<Awaited<ReturnType<typeof openPayments>>>;
