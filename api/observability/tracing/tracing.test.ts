import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, test, vi } from 'vitest';

import { add, oudSaffronMajlis } from '#domain/testing/products.ts';
import { readModels } from '#projections/read-models.ts';

import { change } from '../../cart/testing/shopping.ts';
import { openLogger } from '../../platform/logger.ts';
import { ordering } from '../../orders/testing/ordering.ts';
import { openTestShop } from '../../testing/test-shop.ts';
import { openTracing } from './open-tracing.ts';

type Told = { readonly traceId: string; readonly spanId: string; readonly parentSpanId?: string; readonly name: string };
type Export = { readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly Told[] }[] }[] };

const spans: Told[] = [];
/** Stands for an OpenTelemetry collector over HTTP. */
const collector = createServer((request, response) => {
  let text = '';
  request.on('data', (chunk: Buffer) => (text += chunk.toString()));
  request.on('end', () => {
    const { resourceSpans } = JSON.parse(text) as Export;
    spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)));
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
  });
});

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CLICK = '00f067aa0ba902b7';

vi.stubEnv('OTEL_BSP_SCHEDULE_DELAY', '50');
await new Promise<void>((resolve) => void collector.listen(0, '127.0.0.1', resolve));
// The cast is safe: a server that listens on a port has an `AddressInfo`.
const { port } = collector.address() as AddressInfo;
const url = `http://127.0.0.1:${port}/v1/traces`;
const tracing = openTracing({ exporter: 'otlp', serviceName: 'ruhani', url }, openLogger('silent'));
const shop = await openTestShop({ tracing, projecting: true, reacting: true });
await change([shop], oudSaffronMajlis, add());
// The first build of read models belongs to no request's trace.
await vi.waitFor(() => expect(readModels.filter(({ name }) => !shop.progress.isBuilt(name))).toEqual([]), { timeout: 20_000 });
afterAll(async () => {
  await shop.close();
  await tracing.close();
  collector.close();
  vi.unstubAllEnvs();
});

const inTrace = () => spans.filter(({ traceId }) => traceId === TRACE);
const named = (name: string) => inTrace().find((span) => span.name === name);

describe('a request is one trace', () => {
  test('with the append, read models, reactions and the mail', async () => {
    const at = ordering(shop);
    const order = await at.draft();
    const headers = { traceparent: `00-${TRACE}-${CLICK}-01` };
    const placed = await at.send('PUT', `/api/order/place-order/${order._id}`, { body: { method: 'COD' }, headers });
    expect(placed.status).toBe(200);

    const names = () => inTrace().map(({ name }) => name);
    const wanted = [
      'PUT /api/order/place-order/:id',
      'append order',
      'project my-orders',
      'project orders-desk',
      'project payments',
      'project stats',
      'react order-mails',
      'react empty-cart',
      'send mail',
    ];
    await expect.poll(() => wanted.filter((name) => !names().includes(name))).toEqual([]);

    const request = named('PUT /api/order/place-order/:id');
    expect(request?.parentSpanId).toBe(CLICK);
    const append = named('append order');
    expect(append?.parentSpanId).toBe(request?.spanId);
    for (const name of ['project my-orders', 'react order-mails', 'react empty-cart'])
      expect(named(name)?.parentSpanId).toBe(append?.spanId);
    expect(named('send mail')?.parentSpanId).toBe(named('react order-mails')?.spanId);
  });

  test('is recorded beside its event in the log', async () => {
    const happened = await shop.store.page(await shop.store.head(['product']), 100, ['order']);
    const placed = happened.find(({ type }) => type === 'OrderPlaced');
    expect(placed?.metadata.traceparent).toBe(`00-${TRACE}-${named('append order')?.spanId}-01`);
  });

  test('begins anew after an invalid traceparent', async () => {
    const before = spans.length;
    const names = () => spans.slice(before).map(({ name }) => name);
    await ordering(shop).send('GET', '/api/product', { headers: { traceparent: `00-${TRACE}-${CLICK}` } });
    await expect.poll(names).toContain('GET /api/product');
    const own = spans.slice(before).find(({ name }) => name === 'GET /api/product');
    expect(own).toMatchObject({ traceId: expect.not.stringContaining(TRACE) });
    expect(own?.parentSpanId ?? '').toBe('');
  });
});

test('requests for health and metrics have no trace', async () => {
  const before = spans.length;
  await fetch(`${shop.url}/healthz`);
  await fetch(`${shop.url}/api/product`);
  await expect.poll(() => spans.slice(before).map(({ name }) => name)).toContain('GET /api/product');
  expect(spans.slice(before).map(({ name }) => name)).not.toContain('GET');
});
