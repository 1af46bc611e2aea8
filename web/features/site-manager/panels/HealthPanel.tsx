import { momentText } from '../../../lib/dates.ts';
import { counted } from '../../../lib/numbers.ts';
import { Alert } from '../../../ui/Alert.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import type { Health } from '../admin-types.ts';
import { LoadFailed } from '../ListFrame.tsx';
import { useHealthQuery } from '../admin-api.ts';
import { PanelHead } from '../PanelHead.tsx';
import { TableHead } from '../TableHead.tsx';
import { worriesIn } from './health-warnings.ts';

/** How the machinery does: what reads the log, and what sends the mails. */
export const HealthPanel = () => {
  const { data, isError, isFetching, refetch } = useHealthQuery();
  return (
    <section aria-label="Health">
      <PanelHead title="Health" />
      {data && <HealthShown {...data} />}
      {!data && isError && !isFetching && (
        <LoadFailed message="The state of the machinery could not be loaded." onRetry={() => void refetch()} />
      )}
      {!data && !isError && <Skeleton className="mt-6 h-72" />}
    </section>
  );
};

const HealthShown = (health: Health) => {
  const worries = worriesIn(health);
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
          <td className={CELL}>{counted(lagEvents)}</td>
          <td className={CELL}>{counted(Math.round(lagSeconds))}</td>
          <td className={CELL}>{counted(parkedEvents)}</td>
        </tr>
      ))}
    </tbody>
  </table>
);

const Outbox = ({ waiting, parked, waitingSince }: Health['outbox']) => (
  <dl className="mt-8 grid gap-px overflow-hidden rounded-sm border border-sandal bg-sandal sm:grid-cols-3">
    {[
      ['Mails waiting', counted(waiting)],
      ['The oldest waits since', waitingSince === null ? 'None waits' : momentText(waitingSince)],
      ['Mails given up', counted(parked)],
    ].map(([title, value]) => (
      <div key={title} className="bg-white p-5">
        <dt className="text-[0.9375rem] text-clove">{title}</dt>
        <dd className="figures mt-1.5 text-[1.125rem] font-medium">{value}</dd>
      </div>
    ))}
  </dl>
);
