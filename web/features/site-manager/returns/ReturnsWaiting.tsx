import { Count } from '../Count.tsx';
import { type ReturnCounts, useReturnsInfiniteQuery } from './returns-api.ts';

export const countWaiting = ({ requested, accepted, to_refund }: ReturnCounts): number => requested + accepted + to_refund;

/** What waits in the panel of returns, beside its name, before the panel is loaded. */
export const ReturnsWaiting = () => {
  const { data } = useReturnsInfiniteQuery('waiting');
  const counts = data?.pages[0]?.counts;
  return <Count count={counts && countWaiting(counts)} of="to do" />;
};
