import type { AuditEvent } from '../audit-api.ts';
import { actorText, exactMomentText, noteOf, shortHash, wordOf } from '../audit-labels.ts';
import { EventSubject } from './EventSubject.tsx';
import { LeadsTo } from './LeadsTo.tsx';

/** A page of the log on a phone: an event, a card. */
export const LogCards = ({ events }: { readonly events: readonly AuditEvent[] }) => (
  <ol className="grid gap-3 md:hidden">
    {events.map((event) => (
      <li key={event.position} className="border border-sandal bg-white p-4">
        <p className="flex items-baseline justify-between gap-3">
          <span className="font-medium">{wordOf(event.type).text}</span>
          <span className="figures text-xs text-clove">{event.position}</span>
        </p>
        <dl className="mt-2 grid grid-cols-[4rem_minmax(0,1fr)] gap-x-3 gap-y-1 text-[0.875rem]">
          <dt className="text-clove">When</dt>
          <dd className="figures">{exactMomentText(event.recordedAt)}</dd>
          <dt className="text-clove">Of</dt>
          <dd>
            <EventSubject {...event} />
          </dd>
          <dt className="text-clove">Who</dt>
          <dd className="wrap-anywhere">{actorText(event)}</dd>
          <dt className="text-clove">Hash</dt>
          <dd className="font-mono text-xs">{shortHash(event.metadata?.hash)}</dd>
        </dl>
        {event.unreadable !== undefined && <p className="mt-2 text-[0.875rem] wrap-anywhere text-sindoor">{event.unreadable}</p>}
        {noteOf(event) !== undefined && <p className="mt-2 text-[0.875rem] wrap-anywhere text-clove">{noteOf(event)}</p>}
        <LeadsTo event={event} />
      </li>
    ))}
  </ol>
);
