import { beforeEach, describe, expect, test, vi } from 'vitest';
import { answerCalls } from '../../testing/shop.tsx';
import { subscribeToUpdates } from './live-updates.ts';
import { adminApi } from './admin-api.ts';
import { createAdminStore } from './admin-store.ts';
import { FakeLive } from './testing/open-site-manager.tsx';
import { stats } from './testing/shop-data.ts';

const { stats: statsOf } = adminApi.endpoints;

describe('the connection for server-sent events', () => {
  beforeEach(() => void vi.useFakeTimers());

  const follow = async () => {
    const asked = answerCalls(() => ({ data: stats }));
    const store = createAdminStore();
    const lines: FakeLive[] = [];
    const latest = () => lines.at(-1) ?? expect.fail('no line was opened');
    const stop = subscribeToUpdates(store, () => {
      lines.push(new FakeLive());
      return latest();
    });
    await store.dispatch(statsOf.initiate());
    const figures = () => statsOf.select()(store.getState()).data;
    return { asked, store, lines, stop, figures, latest };
  };

  test('receives the figures without a call', async () => {
    const { asked, figures, latest } = await follow();
    latest().push('open');
    latest().push('figures', { ...stats, totalOrders: 1 });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(figures()?.totalOrders).toBe(1);
    expect(asked).toHaveLength(1);
  });

  test('asks once more for a list that was asked for before it, since nobody announced what changed meanwhile', async () => {
    const { asked, store, latest } = await follow();
    await store.dispatch(adminApi.endpoints.contacts.initiate({}));
    expect(asked.filter(({ url }) => url === '/contact')).toHaveLength(1);
    latest().push('open');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked.filter(({ url }) => url === '/contact')).toHaveLength(2);
  });

  test.each(['orders', 'payments'])('asks for the payments again when %s have changed', async (kind) => {
    const { asked, store, latest } = await follow();
    latest().push('open');
    await store.dispatch(adminApi.endpoints.paymentSums.initiate());
    await vi.advanceTimersByTimeAsync(0);
    const before = asked.length;
    latest().push(kind);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked.slice(before).map(({ url }) => url)).toEqual(['/admin/payments/summary']);
  });

  test('is replaced by polling while it is down; once it is back, the server sends the missed events', async () => {
    const { asked, lines, latest } = await follow();
    latest().push('open');
    latest().push('error');
    await vi.advanceTimersByTimeAsync(31_000);
    expect(asked).toHaveLength(3);
    expect(lines).toHaveLength(1);
    latest().push('open');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked).toHaveLength(3);
  });

  test('is opened again after a refusal, and everything is refetched', async () => {
    const { asked, lines, latest } = await follow();
    latest().push('error');
    latest().close();
    await vi.advanceTimersByTimeAsync(15_000);
    expect(lines).toHaveLength(2);
    expect(asked).toHaveLength(2);
    latest().push('open');
    await vi.advanceTimersByTimeAsync(0);
    expect(asked).toHaveLength(3);
  });

  test('is closed when the page is left, and not opened again', async () => {
    const { asked, lines, stop } = await follow();
    stop();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(lines.map(({ readyState }) => readyState)).toEqual([2]);
    expect(asked).toHaveLength(1);
  });
});
