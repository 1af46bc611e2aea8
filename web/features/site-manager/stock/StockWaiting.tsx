import { Count } from '../Count.tsx';
import { useProductCountsQuery } from '../admin-api.ts';

/** How many products are low, beside the panel's name. */
export const StockWaiting = () => <Count count={useProductCountsQuery().data?.low} of="low" />;
