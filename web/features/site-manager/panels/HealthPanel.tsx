import { Activity } from 'lucide-react';
import { momentText } from '../../../lib/dates.ts';
import { count, formatNumber } from '../../../lib/format.ts';
import { Alert } from '../../../ui/feedback/Alert.tsx';
import { LoadFailed } from '../../../ui/feedback/LoadFailed.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { cx } from '../../../ui/cx.ts';
import { PanelHead } from '../PanelHead.tsx';
import { TableHead } from '../TableHead.tsx';
import { useHealthQuery } from '../admin-api.ts';
import type { Health, ProjectionHealth } from '../admin-types.ts';

/** Projections that lag fewer seconds are not reported. */
const LAG_TO_NAME = 10;
/** One or two failed attempts at a mail are not reported. */
const WAIT_TO_NAME_MS = 5 * 60_000;

const listProjectionWarnings = ({ name, isBuilt, lagEvents, lagSeconds, parkedEvents, isAtWork }: ProjectionHealth): string[] => [
  ...(isAtWork ? [] : [`Nobody works on “${name}”: what happens does not get into it.`]),
  ...(isBuilt ? [] : [`“${name}” is still being built: its figures are incomplete until then.`]),
  ...(isBuilt && lagSeconds > LAG_TO_NAME
    ? [`“${name}” is ${count(lagEvents, 'event')} behind, for ${formatNumber(Math.round(lagSeconds))} s.`]
    : []),
  ...(parkedEvents > 0
    ? [`“${name}” could not apply ${count(parkedEvents, 'event')}: they are parked until the fault is mended and retried.`]
    : []),
];

const mailWarnings = ({ waiting, waitingSince, parked }: Health['outbox'], now: number): string[] => [
  ...(waitingSince !== null && now - Date.parse(waitingSince) > WAIT_TO_NAME_MS
    ? [
        `${count(waiting, 'mail')} could not be delivered yet, the oldest of ${momentText(waitingSince)}: the mail server does not take them.`,
      ]
    : []),
  ...(parked > 0 ? [`${count(parked, 'mail')} could not be delivered and will not be tried again.`] : []),
];

const reactionWarning = ({ name, parkedStreams }: Health['reactions'][number]): string =>
  `“${name}” was given up for ${count(parkedStreams, 'order')} until its fault is mended; it is tried again by itself.`;

/** Shown when the circuit breaker is open and no call is made to the gateway. */
export const GATEWAY_SILENT =
  'The payment gateway does not answer: nobody can pay in advance for now. Payments and refunds are checked again until it answers.';

const listWarnings = ({ projections, outbox, reactions, isGatewayAvailable }: Health): readonly string[] => [
  ...projections.flatMap(listProjectionWarnings),
  ...mailWarnings(outbox, Date.now()),
  ...reactions.map(reactionWarning),
  ...(isGatewayAvailable ? [] : [GATEWAY_SILENT]),
];

export const HealthPanel = () => {
  const { data, isError, isFetching, refetch } = useHealthQuery();
  return (
    <section aria-label="Health">
      <PanelHead title="Health" />
      {data && <HealthShown {...data} />}
      {!data && isError && !isFetching && (
        <LoadFailed className="mt-6" onRetry={() => void refetch()}>
          The state of the machinery could not be loaded.
        </LoadFailed>
      )}
      {!data && !isError && <Skeleton className="mt-6 h-72" />}
    </section>
  );
};

const HealthShown = (health: Health) => {
  const worries = listWarnings(health);
  return (
    <>
      <div className="mt-6 space-y-3">
        {worries.length === 0 && <Alert kind="success">All is well: nothing is parked, and everything has caught up with the log.</Alert>}
        {worries.map((worry) => (
          <Alert key={worry} kind="warning">
            {worry}
          </Alert>
        ))}
      </div>
      <ProjectionsTable {...health} />
      <Outbox {...health.outbox} />
    </>
  );
};

const CELL = 'figures py-3.5 pr-6 text-right text-[0.9375rem]';

const columns = [
  'Read model',
  ...['Events behind', 'Seconds behind', 'Parked events'].map((title) => ({ title, className: 'text-right!' })),
];

const ProjectionsTable = ({ projections }: Pick<Health, 'projections'>) => (
  <table className="mt-8 w-full border-t border-ink/80">
    <caption className="sr-only">Read models, and how far each has come in the log</caption>
    <TableHead columns={columns} />
    <tbody>
      {projections.map(({ name, isBuilt, lagEvents, lagSeconds, parkedEvents }) => (
        <tr key={name} className="border-b border-sandal/70">
          <th scope="row" className="py-3.5 pr-6 text-left text-[0.9375rem] font-medium">
            {name}
            {!isBuilt && <span className="ml-2 text-xs font-normal text-kesar">being built</span>}
          </th>
          <td className={CELL}>{formatNumber(lagEvents)}</td>
          <td className={CELL}>{formatNumber(Math.round(lagSeconds))}</td>
          <td className={CELL}>{formatNumber(parkedEvents)}</td>
        </tr>
      ))}
    </tbody>
  </table>
);

const Outbox = ({ waiting, parked, waitingSince }: Health['outbox']) => (
  <dl className="mt-8 grid gap-px overflow-hidden rounded-sm border border-sandal bg-sandal sm:grid-cols-3">
    {[
      ['Mails waiting', formatNumber(waiting)],
      ['The oldest waits since', waitingSince === null ? 'None waits' : momentText(waitingSince)],
      ['Mails given up', formatNumber(parked)],
    ].map(([title, value]) => (
      <div key={title} className="bg-white p-5">
        <dt className="text-[0.9375rem] text-clove">{title}</dt>
        <dd className="figures mt-1.5 text-[1.125rem] font-medium">{value}</dd>
      </div>
    ))}
  </dl>
);

/** Polled, because a server in trouble may send no events. */
const POLL_INTERVAL_MS = 30_000;

type HealthLineProps = { readonly isShown: boolean; readonly onShow: () => void };

export const HealthLine = ({ isShown, onShow }: HealthLineProps) => {
  const { data, isError } = useHealthQuery(undefined, { pollingInterval: POLL_INTERVAL_MS, skipPollingIfUnfocused: true });
  const worries = data ? listWarnings(data).length : 0;
  const text = isError
    ? 'Health unknown'
    : worries === 0
      ? 'All is well'
      : worries === 1
        ? '1 thing needs care'
        : `${worries} things need care`;
  const dot = isError ? 'border border-teak' : worries === 0 ? 'bg-khus' : 'bg-sindoor';
  return (
    <button
      type="button"
      aria-pressed={isShown}
      onClick={onShow}
      className={cx('inline-flex min-h-11 items-center gap-2.5 text-[0.9375rem] font-medium', isShown && 'text-oxblood')}
    >
      <Activity className="size-4" strokeWidth={1.5} />
      <span className="link">Health</span>
      {data || isError ? (
        <span className="inline-flex items-center gap-2 font-normal text-clove">
          <span aria-hidden="true" className={cx('size-2 rounded-full', dot)} />
          {text}
        </span>
      ) : (
        <span className="skeleton inline-block h-[0.8em] w-22" aria-hidden="true" />
      )}
    </button>
  );
};
