import { Check, ChevronDown, TriangleAlert } from 'lucide-react';
import { instant } from '#domain/shared/time.ts';
import { momentText } from '../../../lib/dates.ts';
import { count, formatNumber } from '../../../lib/format.ts';
import { LoadFailed } from '../../../ui/feedback/LoadFailed.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { cx } from '../../../ui/cx.ts';
import { PanelHead } from '../PanelHead.tsx';
import { TableHead } from '../TableHead.tsx';
import { useHealthQuery } from '../admin-api.ts';
import type { Health, ProjectionHealth } from '../admin-types.ts';
import { LAG_TO_NAME, listWarnings, mailWarnings } from './health-warnings.ts';

/** What a read model is to a merchant. */
const subjects: Readonly<Record<string, string>> = {
  catalogue: 'products and stock',
  'my-orders': 'orders of shoppers',
  'orders-desk': 'orders',
  payments: 'payments',
  papers: 'invoices',
  messages: 'answers to messages',
  stats: 'figures',
};

const PAPERS = 'issue-papers';
const isBehind = ({ isAtWork, isBuilt, lagSeconds, parkedEvents }: ProjectionHealth): boolean =>
  !isAtWork || !isBuilt || lagSeconds > LAG_TO_NAME || parkedEvents > 0;

type Sentence = { readonly title: string; readonly text: string; readonly isBad: boolean };

const heldText = (reactions: Health['reactions']): string =>
  `${count(
    reactions.reduce((sum, { parkedStreams }) => sum + parkedStreams, 0),
    'order',
  )} cannot go on until a fault is mended.`;

const describeOrders = (held: Health['reactions']): Sentence =>
  held.length === 0
    ? { title: 'Orders come in', text: 'Nothing is held back.', isBad: false }
    : { title: 'Orders come in, and some are held back', text: heldText(held), isBad: true };

const describePayments = (isAvailable: boolean): Sentence =>
  isAvailable
    ? { title: 'Payments are taken', text: 'The payment gateway answers.', isBad: false }
    : { title: 'Payments in advance are not taken', text: 'Shoppers can still pay on delivery.', isBad: true };

const describeMails = (outbox: Health['outbox']): Sentence => {
  const waiting = outbox.waiting === 0 ? 'None waits.' : `${count(outbox.waiting, 'mail')} on the way out.`;
  const givenUp =
    outbox.parked === 0 ? '' : ` ${count(outbox.parked, 'mail')} given up. The order or message that a mail is about is marked.`;
  const isBad = mailWarnings(outbox, Date.now()).length > 0;
  return { title: isBad ? 'Some mails do not go out' : 'Mails go out', text: `${waiting}${givenUp}`, isBad };
};

const describeLists = (behind: readonly ProjectionHealth[]): Sentence => ({
  title: behind.length === 0 ? 'What you see is of now' : 'Some of what you see is old',
  text:
    behind.length === 0
      ? `Lists and figures are less than ${LAG_TO_NAME} seconds behind.`
      : `Not up to date: ${behind.map(({ name }) => subjects[name] ?? name).join(', ')}.`,
  isBad: behind.length > 0,
});

const describePapers = (held: Health['reactions']): Sentence =>
  held.length === 0
    ? { title: 'Invoices are issued', text: 'None is held back.', isBad: false }
    : { title: 'Invoices are held back', text: heldText(held), isBad: true };

/** Says in a merchant's words what works and what does not. */
const describeHealth = ({ projections, outbox, reactions, isGatewayAvailable }: Health): readonly Sentence[] => [
  describeOrders(reactions.filter(({ name }) => name !== PAPERS)),
  describePayments(isGatewayAvailable),
  describeMails(outbox),
  describeLists(projections.filter(isBehind)),
  describePapers(reactions.filter(({ name }) => name === PAPERS)),
];

export const HealthPanel = () => {
  const { data, isError, isFetching, refetch, fulfilledTimeStamp } = useHealthQuery();
  return (
    <section aria-label="Health">
      <PanelHead title="Health" />
      {data && <HealthShown health={data} lookedAt={fulfilledTimeStamp} />}
      {!data && isError && !isFetching && (
        <LoadFailed className="mt-6" onRetry={() => void refetch()}>
          The state of the machinery could not be loaded. Check your connection.
        </LoadFailed>
      )}
      {!data && !isError && <Skeleton className="mt-6 h-72" />}
    </section>
  );
};

type HealthShownProps = { readonly health: Health; readonly lookedAt: number | undefined };

/** A merchant's sentences, then what whoever runs the machines needs. */
const HealthShown = ({ health, lookedAt }: HealthShownProps) => {
  const worries = listWarnings(health);
  const isWell = worries.length === 0;
  return (
    <>
      <p className="mt-3 flex flex-wrap items-center gap-x-3 text-[1.0625rem]">
        <span aria-hidden="true" className={cx('size-2.5 rounded-full', isWell ? 'bg-khus' : 'bg-sindoor')} />
        <span className="font-medium">{isWell ? 'All is well' : `${count(worries.length, 'thing')} to look after`}</span>
        {lookedAt !== undefined && (
          <span className="figures text-clove">looked at {momentText(instant(new Date(lookedAt).toISOString()))}</span>
        )}
      </p>
      <ul className="mt-3 border-t border-ink/80">
        {describeHealth(health).map(({ title, text, isBad }) => {
          const Icon = isBad ? TriangleAlert : Check;
          return (
            <li
              key={title}
              className="grid grid-cols-[1.5rem_1fr] items-baseline gap-x-3 border-b border-sandal/70 py-3 lg:grid-cols-[1.5rem_18rem_1fr]"
            >
              <Icon className={cx('size-[1.125rem] self-center', isBad ? 'text-kesar' : 'text-khus')} strokeWidth={1.8} />
              <span className="font-medium">{title}</span>
              <span className="figures text-[0.9375rem] text-clove max-lg:col-start-2">{text}</span>
            </li>
          );
        })}
      </ul>
      <details open={!isWell || undefined} className="mt-8">
        <summary className="inline-flex min-h-11 cursor-pointer items-center gap-2 text-[0.9375rem] font-medium">
          <ChevronDown className="size-4" strokeWidth={1.5} />
          <span className="link">For whoever runs the machines</span>
        </summary>
        {!isWell && (
          <ul className="mt-2 space-y-2">
            {worries.map((worry) => (
              <li key={worry} className="rounded-xs bg-haldi/60 px-4 py-2.5 text-[0.9375rem] font-medium wrap-anywhere text-haldi-deep">
                {worry}
              </li>
            ))}
          </ul>
        )}
        <ProjectionsTable {...health} />
        <Outbox {...health.outbox} />
      </details>
    </>
  );
};

const CELL = 'figures pr-6 text-right text-clove';

const columns = [
  'Read model',
  ...['Events behind', 'Seconds behind', 'Parked events'].map((title) => ({ title, className: 'text-right!' })),
];

const ProjectionsTable = ({ projections }: Pick<Health, 'projections'>) => (
  <table className="mt-4 w-full border-t border-ink/80 text-[0.875rem]">
    <caption className="sr-only">Read models, and how far each has come in the log</caption>
    <TableHead columns={columns} />
    <tbody>
      {projections.map(({ name, isBuilt, lagEvents, lagSeconds, parkedEvents }) => (
        <tr key={name} className="h-10 border-b border-sandal/70">
          <th scope="row" className="pr-6 text-left font-mono text-[0.8125rem] font-normal">
            {name}
            {!isBuilt && <span className="ml-2 font-sans text-xs text-kesar">being built</span>}
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
