import { Count } from '../Count.tsx';
import { useNextCountsQuery, usePaymentSumsQuery } from '../admin-api.ts';

/** Beside the panel's name: collected cash whose way back has no reference yet, and mismatches. */
export const MoneyWaiting = () => {
  const { data: sums } = usePaymentSumsQuery();
  const { data: next } = useNextCountsQuery();
  const mismatches = sums?.mismatch.count;
  return (
    <>
      <Count count={next?.refund} of={next?.refund === 1 ? 'refund to name' : 'refunds to name'} />{' '}
      <Count count={mismatches} of={mismatches === 1 ? 'mismatch' : 'mismatches'} isBad />
    </>
  );
};
