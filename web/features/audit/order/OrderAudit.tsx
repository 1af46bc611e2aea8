import { Download, RotateCw } from 'lucide-react';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import type { Source } from '#domain/order/explain.ts';
import { formatNumber } from '../../../lib/format.ts';
import { Badge } from '../../../ui/Badge.tsx';
import { Button } from '../../../ui/Button.tsx';
import { ExplainAmounts, ExplainedAmounts } from '../../../ui/ExplainedAmounts.tsx';
import { TextLink } from '../../../ui/TextLink.tsx';
import { DownloadLines } from '../DownloadLines.tsx';
import { QueryStatus } from '../QueryStatus.tsx';
import { ndjsonOf, ORDER_PART as PART, useExplanationQuery, useOrderQuery, useVerdictQuery } from '../audit-api.ts';
import { MomentPicker } from '../MomentPicker.tsx';
import type { AuditedOrder, AuditEvent } from '../audit-types.ts';
import { logPath, orderPath, paymentPath } from '../audit-paths.ts';
import { clockInIndia } from '../india-time.ts';
import { OrderChanges, OrderState } from './OrderState.tsx';
import { eventAnchor, EventTimeline } from './EventTimeline.tsx';
import { Scrubber } from './Scrubber.tsx';
import { Verdicts } from './Verdicts.tsx';
import { WhoAndWhen } from './WhoAndWhen.tsx';

/** Returns the number of the part that contains a revision. A moment is only looked for in the first part. */
const parsePart = (at: string | null): number => (at !== null && /^\d{1,9}$/.test(at) ? Math.floor(Number(at) / PART) : 0);

/** One order, by id or number, with its state after each event and whether its events are intact. */
export const OrderAudit = ({ name }: { readonly name: string }) => {
  const [params] = useSearchParams();
  const part = parsePart(params.get('at'));
  const query = useOrderQuery({ name, part });
  return (
    <QueryStatus query={query} saying="Reading the order's history...">
      {(order) => <Audited name={name} part={part} order={order} />}
    </QueryStatus>
  );
};

const Parts = ({ name, part, order: { count, next } }: { readonly name: string; readonly part: number; readonly order: AuditedOrder }) => {
  if (part === 0 && next === null) return null;
  const last = Math.ceil(count / PART) - 1;
  return (
    <nav aria-label="Parts of the history" className="mt-6 flex flex-wrap items-center gap-x-6 gap-y-2 text-[0.9375rem]">
      <span className="text-clove">
        Events {formatNumber(part * PART + 1)} to {formatNumber(Math.min(count, (part + 1) * PART))} of {formatNumber(count)}
      </span>
      {part > 0 && (
        <Link to={orderPath(name, part * PART - 1)} className="link">
          Earlier events
        </Link>
      )}
      {next !== null && (
        <Link to={orderPath(name, (part + 1) * PART)} className="link">
          Later events
        </Link>
      )}
      {part < last && (
        <Link to={orderPath(name, count - 1)} className="link">
          As it is now
        </Link>
      )}
    </nav>
  );
};

/** Timeline, slider and time picker share one position, which is in the URL. */
const Audited = ({ name, part, order }: { readonly name: string; readonly part: number; readonly order: AuditedOrder }) => {
  const { stop, goTo } = useStop(name, order.events);
  const event = order.events[stop];
  if (!event) return null;
  return (
    <>
      <OrderHead name={name} order={order} />
      <ExplainAmounts className="max-w-text">
        <Explained name={name} stream={order.stream} />
      </ExplainAmounts>
      <Parts name={name} part={part} order={order} />
      <div className="mt-8 rounded-sm border border-sandal bg-white p-5 sm:p-7">
        <Scrubber events={order.events} stop={stop} onStop={goTo} />
        <TimePicker events={order.events} hasMore={order.next !== null} stop={stop} onStop={goTo} />
      </div>
      <div className="mt-10 grid gap-x-14 gap-y-12 lg:grid-cols-[23rem_1fr]">
        <EventTimeline name={name} order={order} stop={stop} />
        <section className="min-w-0">
          <OrderChanges before={order.states[stop - 1] ?? null} after={order.states[stop] ?? null} />
          <div className="mt-10 grid gap-x-12 gap-y-10 xl:grid-cols-[1.35fr_1fr]">
            <OrderState before={order.states[stop - 1] ?? null} after={order.states[stop] ?? null} />
            <WhoAndWhen name={name} order={order} event={event} />
          </div>
        </section>
      </div>
    </>
  );
};

const OrderHead = ({ name, order }: { readonly name: string; readonly order: AuditedOrder }) => {
  const verdict = useVerdictQuery(name);
  const now = order.states.at(-1) ?? null;
  return (
    <div className="flex flex-col gap-6 border-y border-ink/80 py-6 lg:flex-row lg:items-center lg:justify-between">
      <div>
        <div className="flex flex-wrap items-center gap-4">
          <h2 className="figures text-[1.5rem] leading-none font-semibold tracking-[0.01em]">{now?.orderNumber ?? 'Not placed'}</h2>
          {now && <Badge status={now.status} />}
        </div>
        <p className="mt-2.5 font-mono text-[0.8125rem] break-all text-clove">{order.stream}</p>
        {now?.placedAt && <TextLink to={paymentPath(now._id)}>Events of its payment</TextLink>}
      </div>
      <Verdicts {...verdict} />
      <div className="flex flex-wrap gap-3">
        <Button kind="quiet" className="px-3 max-lg:-ml-3" disabled={verdict.isFetching} onClick={() => void verdict.refetch()}>
          <RotateCw aria-hidden="true" className="size-4" strokeWidth={1.5} />
          Verify again
        </Button>
        <DownloadLines call={ndjsonOf.order(name)} file={`${order.stream}.ndjson`}>
          <Download aria-hidden="true" className="size-4" strokeWidth={1.5} />
          Download NDJSON
        </DownloadLines>
      </div>
    </div>
  );
};

type ExplainedProps = { readonly name: string; readonly stream: string };

/** Each event links to its place in the timeline, or to the events of the payment. */
const Explained = ({ name, stream }: ExplainedProps) => {
  const linkTo = (event: Source) =>
    event.stream === stream
      ? {
          to: orderPath(name, event.revision),
          replace: true,
          state: { stay: true },
          onClick: () => document.getElementById(eventAnchor(event.revision))?.focus(),
        }
      : { to: logPath({ stream: event.stream }) };
  return <ExplainedAmounts query={useExplanationQuery(name)} linkTo={linkTo} />;
};

type TimePickerProps = {
  readonly events: readonly AuditEvent[];
  readonly hasMore: boolean;
  readonly stop: number;
  readonly onStop: (stop: number) => void;
};

/** Selects the order's state at a moment. A change of position elsewhere resets the picker to the time of that event. */
const TimePicker = ({ events, hasMore, stop, onStop }: TimePickerProps) => {
  const shown = events[stop]?.recordedAt ?? null;
  const pick = (moment: string): string => {
    const found = stopAtMoment(events, moment);
    if (found === -1)
      return events[0]?.revision === 0 ? 'At that time this order was not there yet' : 'That is before the events shown here';
    if (hasMore && found === events.length - 1) return 'That is after the events shown here';
    onStop(found);
    return '';
  };
  return (
    <div className="mt-6 border-t border-sandal pt-5">
      <MomentPicker label="As it stood on (time in India)" clock={shown === null ? '' : clockInIndia(shown)} onPick={pick} />
    </div>
  );
};

/**
 * Returns the position in the order's history, which is in the URL (`?at=`). Local state changes at once and `startTransition` defers the
 * URL; otherwise a thumb that is being dragged would jump back.
 */
const useStop = (name: string, events: readonly AuditEvent[]) => {
  const [params, setParams] = useSearchParams();
  const inAddress = stopAt(events, params.get('at'));
  const [seen, setSeen] = useState(inAddress);
  const [stop, setStop] = useState(inAddress);
  if (seen !== inAddress) {
    setSeen(inAddress);
    setStop(inAddress);
  }
  const goTo = (index: number): void => {
    setStop(index);
    setParams({ order: name, at: String(events[index]?.revision ?? 0) }, { replace: true, state: { stay: true } });
  };
  return { stop, goTo };
};

/**
 * Returns the index of the event that `?at=` selects: a number is a revision, a moment selects the last event until then, and without a
 * valid value the last event is selected.
 */
export const stopAt = (events: readonly Pick<AuditEvent, 'revision' | 'recordedAt'>[], at: string | null): number => {
  const last = events.length - 1;
  if (at === null) return last;
  const found = /^\d{1,9}$/.test(at) ? events.findIndex(({ revision }) => revision === Number(at)) : stopAtMoment(events, at);
  return found === -1 ? last : found;
};

/** Returns the index of the last event at or before this moment, or −1 when there is none or the moment is invalid. */
export const stopAtMoment = (events: readonly Pick<AuditEvent, 'recordedAt'>[], moment: string): number => {
  const time = Date.parse(moment);
  return events.findLastIndex(({ recordedAt }) => recordedAt !== null && Date.parse(recordedAt) <= time);
};
