import { Shield, ShieldAlert, ShieldCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { getMessage } from '../../../lib/http/api.ts';
import { count } from '../../../lib/format.ts';
import { cx } from '../../../ui/cx.ts';
import type { OrderVerdict } from '../audit-types.ts';
import { shortHash } from '../audit-labels.ts';

const faults: Readonly<Record<NonNullable<OrderVerdict['fault']>, string>> = {
  missing: 'There is no event at this revision any more',
  out_of_place: 'An event stands here that belongs elsewhere',
  altered: 'The event is not what was appended',
  foreign: 'The shop has not written this event',
};

const shown = (value: unknown): string => (value === undefined || value === null ? 'nothing' : String(value));

type VerdictsProps = { readonly data?: OrderVerdict | undefined; readonly error?: unknown; readonly isFetching: boolean };

/**
 * Shows two verdicts in words: on the event log and on the read models. During a check the previous verdict is hidden, but its space is
 * kept, so that nothing below it moves.
 */
export const Verdicts = ({ data, error, isFetching }: VerdictsProps) => (
  <div role="status" className="grid gap-5 sm:grid-cols-2 lg:gap-10">
    {isFetching && (
      <>
        <One title="Verifying the chain...">Each hash is recomputed</One>
        <One title="Verifying the read model...">Each field is compared</One>
      </>
    )}
    {!isFetching && error !== undefined && (
      <One isGood={false} title="Not verified">
        {getMessage(error)}
      </One>
    )}
    {!isFetching && error === undefined && data && (
      <>
        <OfChain {...data} />
        <OfReadModel {...data} />
      </>
    )}
  </div>
);

const OfChain = ({ chain, brokenAt, fault, cut, hashes, events, savedHeads, unlawful }: OrderVerdict) => {
  const [first] = unlawful;
  if (chain === 'broken')
    return (
      <One isGood={false} title={`Chain broken at revision ${brokenAt}`}>
        {cut ?? (fault && faults[fault])}
        {hashes && `: stored ${shortHash(hashes.stored)}, recomputed ${shortHash(hashes.recomputed)}`}
      </One>
    );
  if (first)
    return (
      <One isGood={false} title={`Not lawful at revision ${first.revision}`}>
        The chain is whole, but {first.why}
      </One>
    );
  return (
    <One isGood title="Chain intact">
      {count(events, 'hash', 'hashes')} recomputed, no gap
      {savedHeads > 0 && `, ${count(savedHeads, 'saved head')} met`}
    </One>
  );
};

const OfReadModel = ({ cut, readModel, compared, differences }: OrderVerdict) => {
  const [first] = differences;
  if (cut !== undefined)
    return (
      <One isGood={false} title="Read model not compared">
        What it should show is missing in the log
      </One>
    );
  if (readModel === 'matches' || !first)
    return (
      <One isGood title="Read model matches">
        {count(compared, 'field')} compared, 0 differences
      </One>
    );
  return (
    <One isGood={false} title="Read model differs">
      {differences.length} of {compared}: {first.field} is {shown(first.inLog)} in the log, {shown(first.inTable)} in {first.model}
    </One>
  );
};

const looks = {
  good: { Icon: ShieldCheck, icon: 'text-khus', title: 'text-khus-deep' },
  bad: { Icon: ShieldAlert, icon: 'text-sindoor', title: 'text-sindoor' },
  pending: { Icon: Shield, icon: 'text-clove', title: 'text-clove' },
};

/** Without `isGood` the check is still running. */
const One = ({ isGood, title, children }: { readonly isGood?: boolean; readonly title: string; readonly children: ReactNode }) => {
  const { Icon, ...colors } = looks[isGood === undefined ? 'pending' : isGood ? 'good' : 'bad'];
  return (
    <div className="flex items-start gap-3">
      <Icon aria-hidden="true" className={cx('size-6', colors.icon)} strokeWidth={1.4} />
      <div className="min-w-0">
        <p className={cx('font-medium', colors.title)}>{title}</p>
        <p className="text-[0.8125rem] wrap-anywhere text-clove">{children}</p>
      </div>
    </div>
  );
};
