import { count, formatNumber } from '../../../lib/format.ts';
import { momentText } from '../../../lib/dates.ts';
import { Alert } from '../../../ui/feedback/Alert.tsx';
import { useSignaturesQuery } from '../audit-api.ts';
import type { Signatures } from '../audit-types.ts';

/** Witnesses sign within seconds; an event that waits longer waits for them. */
const LATE_MS = 60_000;

const isLate = ({ unsignedSince }: Signatures): boolean => unsignedSince !== null && Date.now() - Date.parse(unsignedSince) > LATE_MS;

const isUnwitnessed = (state: Signatures): boolean => state.witnesses > 0 && (!state.isCosigned || isLate(state));

/** Says how far the log is signed, and since when its witnesses have signed nothing. */
export const SignatureState = () => {
  const { currentData: state } = useSignaturesQuery();
  if (!state) return null;
  const { size, signedAt, cosignedAt, witnesses, quorum } = state;
  return (
    <div className="mt-3 max-w-[42rem]">
      <p className="text-[0.875rem] text-clove">
        {signedAt === null
          ? 'Nothing of it is signed yet.'
          : `Signed up to event ${formatNumber(size)}, on ${momentText(signedAt)}. ${witnesses === 0 ? 'It has no witnesses.' : `It has ${count(witnesses, 'witness', 'witnesses')}.`}`}
      </p>
      {isUnwitnessed(state) && (
        <Alert className="mt-3">
          {quorum > 1 ? `Fewer than ${quorum} witnesses have` : 'No witness has'} signed it{' '}
          {cosignedAt === null ? 'so far' : `since ${momentText(cosignedAt)}`}. The shop goes on selling.{' '}
          {quorum > 0 ? 'Receipts of newer events wait for the witnesses.' : "Newer receipts have the shop's signature alone."} See that the
          witnesses run.
        </Alert>
      )}
    </div>
  );
};
