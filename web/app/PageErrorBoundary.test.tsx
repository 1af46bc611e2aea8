import { expect, test, vi } from 'vitest';
import { firstPageReady } from '../lib/first-page-ready.ts';
import { renderPart } from '../testing/shop.tsx';
import { PageErrorBoundary } from './PageErrorBoundary.tsx';

const Broken = () => {
  throw new Error('broken');
};

test('firstPageReady resolves even when the first page throws', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  renderPart(
    <PageErrorBoundary>
      <Broken />
    </PageErrorBoundary>,
  );
  await expect(firstPageReady).resolves.toBeUndefined();
});
