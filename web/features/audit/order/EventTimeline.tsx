import { Mail } from 'lucide-react';
import { Link } from 'react-router-dom';
import { cx } from '../../../ui/cx.ts';
import type { AuditedOrder, AuditEvent, AuditMail } from '../audit-types.ts';
import { orderPath } from '../audit-paths.ts';
import { exactMomentText, isMailAbout, mailText, findNote, describeRole, shortHash, describeActor, labelFor } from '../audit-labels.ts';

type EventTimelineProps = { readonly name: string; readonly order: AuditedOrder; readonly stop: number };

export const eventAnchor = (revision: number): string => `event-${revision}`;

export const EventTimeline = ({ name, order, stop }: EventTimelineProps) => (
  <section aria-labelledby="events">
    <h3 id="events" className="display mb-3 text-h3">
      Events
    </h3>
    <ol className="relative">
      {order.events.map((event, index) => (
        <li key={event.revision} className="relative grid grid-cols-[2.25rem_1fr] gap-x-4 pb-2">
          {index < order.events.length - 1 && (
            <span
              aria-hidden="true"
              className={cx('absolute top-9 -bottom-1 left-[1.0625rem] w-px', index < stop ? 'bg-oxblood' : 'bg-sandal')}
            />
          )}
          <Mark type={event.type} when={index === stop ? 'now' : index < stop ? 'past' : 'later'} />
          <Happened name={name} order={order} event={event} previous={order.events[index - 1]} isCurrent={index === stop} />
        </li>
      ))}
    </ol>
  </section>
);

const marks = {
  now: 'bg-oxblood text-ivory',
  past: 'border border-oxblood bg-ivory text-oxblood',
  later: 'border border-sandal bg-ivory text-clove',
} as const;

const Mark = ({ type, when }: { readonly type: string; readonly when: keyof typeof marks }) => {
  const { Icon } = labelFor(type);
  return (
    <span aria-hidden="true" className={cx('relative z-1 mt-2.5 inline-flex size-9 items-center justify-center rounded-full', marks[when])}>
      <Icon className="size-[1.125rem]" strokeWidth={1.5} />
    </span>
  );
};

type HappenedProps = Omit<EventTimelineProps, 'stop'> & {
  readonly event: AuditEvent;
  readonly previous: AuditEvent | undefined;
  readonly isCurrent: boolean;
};

const Happened = ({ name, order: { people, mails }, event, previous, isCurrent }: HappenedProps) => {
  const { revision, type, recordedAt, metadata, unreadable } = event;
  const note = findNote(event);
  return (
    <Link
      to={orderPath(name, revision)}
      replace
      state={{ stay: true }}
      id={eventAnchor(revision)}
      aria-current={isCurrent ? 'step' : undefined}
      className={cx('block rounded-sm border px-4 py-3', isCurrent ? 'border-sandal bg-white' : 'border-transparent hover:bg-paper')}
    >
      <span className="flex items-baseline justify-between gap-3">
        <span className="font-medium">{labelFor(type).text}</span>
        <span className="figures text-xs text-clove">rev {revision}</span>
      </span>
      <span className="figures mt-0.5 block text-[0.875rem] text-clove">{exactMomentText(recordedAt)}</span>
      {metadata && (
        <span className="mt-1 block text-[0.875rem] wrap-anywhere">
          {describeActor(metadata.actor, people)} <span className="text-clove">· {describeRole(metadata.actor)}</span>
        </span>
      )}
      {note !== undefined && <span className="mt-1 block text-[0.875rem] wrap-anywhere text-clove">{note}</span>}
      {unreadable !== undefined && <span className="mt-1 block text-[0.875rem] wrap-anywhere text-sindoor">{unreadable}</span>}
      {mails
        .filter((mail) => isMailAbout(mail, event))
        .map((mail) => (
          <MailSent key={mail.messageId} mail={mail} />
        ))}
      <span className="mt-1.5 block font-mono text-[0.75rem] text-clove">
        {shortHash(previous?.metadata?.hash)} → {shortHash(metadata?.hash)}
      </span>
    </Link>
  );
};

const MailSent = ({ mail }: { readonly mail: AuditMail }) => (
  <span className="mt-1 flex items-center gap-1.5 text-[0.875rem] text-clove">
    <Mail aria-hidden="true" className="size-4" strokeWidth={1.5} />
    {mailText(mail)}
  </span>
);
