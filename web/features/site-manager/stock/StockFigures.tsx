import { TriangleAlert } from 'lucide-react';
import type { StockView } from '#domain/stock/view.ts';
import { formatNumber } from '../../../lib/format.ts';
import { cx } from '../../../ui/cx.ts';

const isLow = ({ available, lowAt }: Pick<StockView, 'available' | 'lowAt'>): boolean => lowAt !== null && available <= lowAt;

/** Shows `45 available`, with a mark when stock is low. */
export const Available = ({ available, lowAt }: Pick<StockView, 'available' | 'lowAt'>) => (
  <span className="inline-flex flex-wrap items-center gap-x-3 gap-y-1">
    <span className={cx('figures', available === 0 && 'text-sindoor')}>{available === 0 ? 'None' : formatNumber(available)} available</span>
    {isLow({ available, lowAt }) && (
      <span className="inline-flex h-6 items-center gap-1 rounded-xs bg-haldi px-2 text-xs font-medium text-haldi-deep">
        <TriangleAlert className="size-3.5" strokeWidth={2} />
        Low
      </span>
    )}
  </span>
);

export const StockFigures = ({ onHand, reserved, ...rest }: StockView) => (
  <>
    <Available {...rest} />
    <span className="figures block text-[0.8125rem] text-clove">
      {formatNumber(onHand)} on hand{reserved > 0 && `, ${formatNumber(reserved)} reserved`}
    </span>
  </>
);
