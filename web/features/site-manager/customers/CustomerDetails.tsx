import { Download, Eraser, Mail } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { dayText } from '../../../lib/dates.ts';
import { formatNumber, moneyText } from '../../../lib/format.ts';
import { getMessage } from '../../../lib/http/api.ts';
import { createMailto } from '../../../lib/mailto.ts';
import { Badge } from '../../../ui/Badge.tsx';
import { Button } from '../../../ui/Button.tsx';
import { buttonStyle } from '../../../ui/button-style.ts';
import { cx } from '../../../ui/cx.ts';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { LoadFailed } from '../../../ui/feedback/LoadFailed.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { Status } from '../../../ui/feedback/Status.tsx';
import { useDelayedLoading } from '../../../ui/feedback/use-delayed-loading.ts';
import { Money } from '../../../ui/Money.tsx';
import { BackToList } from '../BackToList.tsx';
import { InSteps } from '../InSteps.tsx';
import { Addresses, Letters, Messages, Notices, OrderLink, PartTitle, Returns } from './CustomerParts.tsx';
import type { Customer, useCustomerQuery } from './customers-api.ts';

type CustomerDetailsProps = {
  /** Undefined until the query has answered. */
  readonly customer: Customer | undefined;
  readonly query: ReturnType<typeof useCustomerQuery>;
  /** The list is not beside it, or is longer than a screen. */
  readonly beside: 'nothing' | 'list' | 'long list';
  readonly onTask: (name: 'export' | 'erase', customer: Customer) => void;
};

/** Beside a long list it stays in view, and scrolls by itself. */
const IN_VIEW =
  'lg:sticky lg:top-30 lg:-mr-1.5 lg:max-h-[calc(100dvh-7.5rem)] lg:self-start lg:overflow-y-auto lg:pr-1.5 lg:pb-6 xl:top-16 xl:max-h-[calc(100dvh-4rem)]';

/** A customer: who, how much, what is open, and what was asked for. */
export const CustomerDetails = ({ beside, ...shown }: CustomerDetailsProps) => (
  <div className={cx('min-w-0 pt-2 lg:pt-5 lg:pl-6 xl:pl-8', beside === 'long list' && IN_VIEW)}>
    {beside === 'nothing' && <BackToList>All customers</BackToList>}
    <Shown {...shown} />
  </div>
);

const Shown = ({ customer, query: { error, isFetching, refetch }, onTask }: Omit<CustomerDetailsProps, 'beside'>) => {
  const isGone = error !== undefined && 'status' in error && error.status === 404;
  const isLoading = useDelayedLoading(!customer && isFetching);
  // Who was erased meanwhile is shown no longer.
  if (isGone)
    return (
      <EmptyState title="Customer not found">
        The data were erased meanwhile, or the address of this page names nobody. The list has all customers.
      </EmptyState>
    );
  if (customer) return <WholeCustomer customer={customer} onTask={onTask} />;
  if (error !== undefined && !isFetching) return <LoadFailed onRetry={() => void refetch()}>{getMessage(error)}</LoadFailed>;
  return (
    <div aria-busy="true" className="min-h-96">
      <Status className="sr-only">Loading the customer...</Status>
      {isLoading && <DetailsSkeleton />}
    </div>
  );
};

export const DetailsSkeleton = () => (
  <>
    <Skeleton className="h-11 w-64 max-w-full" />
    <Skeleton className="mt-3 h-5 w-80 max-w-full" />
    <Skeleton className="mt-5 h-20" />
    <Skeleton className="mt-8 h-48" />
  </>
);

type CustomerProps = { readonly customer: Customer };

const WholeCustomer = ({ customer, onTask }: CustomerProps & Pick<CustomerDetailsProps, 'onTask'>) => {
  const { name, email, phone, guest, since, returns, addresses, requests } = customer;
  const { messages, notices, letters } = requests;
  return (
    <article>
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 grow basis-72">
          <h3 className="display text-h2 wrap-anywhere">
            <bdi>{name}</bdi>
          </h3>
          <p className="mt-1.5 flex flex-wrap gap-x-5 gap-y-1 text-[0.875rem]">
            <span className="wrap-anywhere">{email}</span>
            {phone !== '' && <bdi className="figures wrap-anywhere">{phone}</bdi>}
            <span className="figures text-clove">
              {guest ? 'Guest, first order' : 'Account since'} {dayText(since)}
            </span>
          </p>
        </div>
        <a href={createMailto(email)} className={buttonStyle({ kind: 'outline', className: 'lg:min-h-10' })}>
          <Mail className="size-4" strokeWidth={1.5} aria-hidden="true" />
          <span>
            Write<span className="sr-only"> to {name}</span>
          </span>
        </a>
      </div>
      <Figures customer={customer} />
      <Orders customer={customer} />
      {/* Columns that fill one after the other, whichever of these parts there are. */}
      <div className="gap-x-10 xl:columns-2 xl:[&>section]:break-inside-avoid">
        {returns.length > 0 && <Returns returns={returns} />}
        {addresses.length > 0 && <Addresses addresses={addresses} />}
        {messages.length > 0 && <Messages messages={messages} email={email} />}
        {notices.length > 0 && <Notices notices={notices} />}
      </div>
      <section className="mt-7 border-t border-sandal pt-4">
        <PartTitle>Asked for by letter</PartTitle>
        <p className="max-w-[40rem] text-[0.875rem] text-clove">
          For somebody who asks on paper. Make sure first who is asking. Both take a reason, and both stand in the security log.
        </p>
        {letters.length > 0 && <Letters letters={letters} />}
        <div className="mt-3 flex flex-wrap gap-2">
          <Button kind="outline" className="lg:min-h-10" onClick={() => onTask('export', customer)}>
            <Download className="size-4" strokeWidth={1.5} />
            Export the data
          </Button>
          <Button kind="outline" className="border-sindoor/60! text-sindoor! lg:min-h-10" onClick={() => onTask('erase', customer)}>
            <Eraser className="size-4" strokeWidth={1.5} />
            Erase the data
          </Button>
        </div>
      </section>
    </article>
  );
};

const Figures = ({ customer: { sums } }: CustomerProps) => {
  const figures: readonly (readonly [string, ReactNode])[] = [
    ['Spent', <Money key="spent" amount={moneyText(sums.spent)} />],
    ['Orders', formatNumber(sums.orders)],
    ['Average', <Money key="average" amount={moneyText(sums.average)} />],
    ['Came back', formatNumber(sums.cameBack)],
  ];
  return (
    <dl className="figures mt-4 grid grid-cols-[repeat(auto-fit,minmax(9rem,1fr))] gap-px overflow-hidden rounded-sm border border-sandal bg-sandal">
      {figures.map(([title, figure]) => (
        <div key={title} className="bg-white px-4 py-3">
          <dt className="text-[0.8125rem] text-clove">{title}</dt>
          <dd className="display mt-1 text-[1.5rem] leading-none wrap-anywhere">{figure}</dd>
        </div>
      ))}
    </dl>
  );
};

const Orders = ({ customer: { orders, sums, email } }: CustomerProps) => (
  <section className="mt-6">
    <PartTitle>Orders</PartTitle>
    {orders.length === 0 && <p className="border-t border-ink/80 pt-3 text-[0.875rem] text-clove">None yet.</p>}
    <InSteps rows={orders} more="More orders">
      {(shown) => (
        <ul className="border-t border-ink/80 empty:hidden">
          {shown.map(({ _id, orderNumber, placedAt, status, total }) => (
            <li
              key={_id}
              className="grid min-h-11 grid-cols-[1fr_auto] items-center gap-x-4 border-b border-sandal/70 text-[0.875rem] max-sm:pb-2 sm:grid-cols-[8.5rem_7rem_1fr_auto]"
            >
              <OrderLink number={orderNumber} />
              <span className="figures text-clove max-sm:order-2">{dayText(placedAt)}</span>
              <span className="max-sm:order-1 max-sm:justify-self-end">
                <Badge status={status} />
              </span>
              <span className="figures text-right max-sm:order-3">{moneyText(total)}</span>
            </li>
          ))}
        </ul>
      )}
    </InSteps>
    {sums.orders > orders.length && (
      <p className="mt-3 text-[0.875rem] text-clove">
        These are the newest of {formatNumber(sums.orders)}. The desk has{' '}
        <Link to={`?${new URLSearchParams({ panel: 'orders', q: email })}`} className="link text-ink">
          all of them
        </Link>
        .
      </p>
    )}
  </section>
);
