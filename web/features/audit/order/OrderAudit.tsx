import { Asking } from '../Asking.tsx';
import type { AuditedOrder } from '../audit-api.ts';
import { useAnswer } from '../use-answer.ts';
import { Changes } from './Changes.tsx';
import { EventTimeline } from './EventTimeline.tsx';
import { OrderHead } from './OrderHead.tsx';
import { OrderState } from './OrderState.tsx';
import { Scrubber } from './Scrubber.tsx';
import { TimePicker } from './TimePicker.tsx';
import { WhoAndWhen } from './WhoAndWhen.tsx';
import { useStop } from './use-stop.ts';

/** One order, by id or number: which it is, whether it can be trusted, and how it was after each of its events. */
export const OrderAudit = ({ name }: { readonly name: string }) => {
  const { answer, again } = useAnswer<AuditedOrder>(`/audit/orders/${encodeURIComponent(name)}`);
  return (
    <Asking answer={answer} again={again} saying="Reading the order's history...">
      {(order) => <Audited name={name} order={order} />}
    </Asking>
  );
};

/** Timeline, scrubber and picker all move the one place in time, which stands in the address. */
const Audited = ({ name, order }: { readonly name: string; readonly order: AuditedOrder }) => {
  const { stop, goTo } = useStop(name, order.events);
  const event = order.events[stop];
  if (!event) return null;
  return (
    <>
      <OrderHead name={name} order={order} />
      <div className="mt-8 rounded-sm border border-sandal bg-white p-5 sm:p-7">
        <Scrubber events={order.events} stop={stop} onStop={goTo} />
        <TimePicker events={order.events} stop={stop} onStop={goTo} />
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
