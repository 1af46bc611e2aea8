import { Link, useSearchParams } from 'react-router-dom';
import { counted } from '../../../lib/numbers.ts';
import { Asking } from '../FetchStatus.tsx';
import type { AuditedOrder } from '../audit-api.ts';
import { orderPath } from '../audit-paths.ts';
import { useAnswer } from '../use-fetch.ts';
import { Changes } from './Changes.tsx';
import { EventTimeline } from './EventTimeline.tsx';
import { OrderHead } from './OrderHead.tsx';
import { OrderState } from './OrderState.tsx';
import { Scrubber } from './Scrubber.tsx';
import { TimePicker } from './TimePicker.tsx';
import { WhoAndWhen } from './WhoAndWhen.tsx';
import { useStop } from './use-stop.ts';

/** More than the orders of nearly everybody have. As many as the server sends at once. */
const PART = 500;

/** The part of the events in which an address lies: only who names a revision can be anywhere but in the first. */
const partOf = (at: string | null): number => (at !== null && /^\d{1,9}$/.test(at) ? Math.floor(Number(at) / PART) : 0);

const callFor = (name: string, part: number): string =>
  `/audit/orders/${encodeURIComponent(name)}${part === 0 ? '' : `?after=${part * PART - 1}`}`;

/** One order, by id or number: which it is, whether it can be trusted, and how it was after each of its events. */
export const OrderAudit = ({ name }: { readonly name: string }) => {
  const [params] = useSearchParams();
  const part = partOf(params.get('at'));
  const { answer, again } = useAnswer<AuditedOrder>(callFor(name, part));
  return (
    <Asking answer={answer} again={again} saying="Reading the order's history...">
      {(order) => <Audited name={name} part={part} order={order} />}
    </Asking>
  );
};

/** Of an order with more events than are shown: which these are, and the way to the others. */
const Parts = ({ name, part, order: { count, next } }: { readonly name: string; readonly part: number; readonly order: AuditedOrder }) => {
  if (part === 0 && next === null) return null;
  const last = Math.ceil(count / PART) - 1;
  return (
    <nav aria-label="Parts of the history" className="mt-6 flex flex-wrap items-center gap-x-6 gap-y-2 text-[0.9375rem]">
      <span className="text-clove">
        Events {counted(part * PART + 1)} to {counted(Math.min(count, (part + 1) * PART))} of {counted(count)}
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

/** Timeline, scrubber and picker all move the one place in time, which stands in the address. */
const Audited = ({ name, part, order }: { readonly name: string; readonly part: number; readonly order: AuditedOrder }) => {
  const { stop, goTo } = useStop(name, order.events);
  const event = order.events[stop];
  if (!event) return null;
  return (
    <>
      <OrderHead name={name} order={order} />
      <Parts name={name} part={part} order={order} />
      <div className="mt-8 rounded-sm border border-sandal bg-white p-5 sm:p-7">
        <Scrubber events={order.events} stop={stop} onStop={goTo} />
        <TimePicker events={order.events} hasMore={order.next !== null} stop={stop} onStop={goTo} />
      </div>
      <div className="mt-10 grid gap-x-14 gap-y-12 lg:grid-cols-[23rem_1fr]">
        <EventTimeline name={name} order={order} stop={stop} />
        <section className="min-w-0">
          <Changes before={order.states[stop - 1] ?? null} after={order.states[stop] ?? null} />
          <div className="mt-10 grid gap-x-12 gap-y-10 xl:grid-cols-[1.35fr_1fr]">
            <OrderState before={order.states[stop - 1] ?? null} after={order.states[stop] ?? null} />
            <WhoAndWhen name={name} order={order} event={event} />
          </div>
        </section>
      </div>
    </>
  );
};
