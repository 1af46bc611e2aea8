import type { AuditEvent } from '../audit-api.ts';
import { actorText, exactMomentText, noteOf, shortHash, wordOf } from '../audit-labels.ts';
import { EventSubject } from './EventSubject.tsx';
import { LeadsTo } from './LeadsTo.tsx';

const heads = ['Position', 'When', 'What', 'Of', 'Who', 'Hash'] as const;

/** A page of the log where there is room for a table. */
export const LogTable = ({ events }: { readonly events: readonly AuditEvent[] }) => (
  <table className="hidden w-full border-t border-ink/80 md:table">
    <caption className="sr-only">Events in the order in which they were written</caption>
    <thead>
      <tr className="border-b border-sandal text-left text-[0.8125rem] text-clove">
        {heads.map((head) => (
          <th key={head} scope="col" className={head === 'Position' ? 'py-2.5 pr-6 text-right font-medium' : 'py-2.5 pr-4 font-medium'}>
            {head}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {events.map((event) => (
        <LogRow key={event.position} event={event} />
      ))}
    </tbody>
  </table>
);

const LogRow = ({ event }: { readonly event: AuditEvent }) => {
  const { position, recordedAt, type, metadata, unreadable } = event;
  const note = noteOf(event);
  return (
    <tr className="border-b border-sandal/70 align-top text-[0.9375rem] hover:bg-white">
      <td className="figures py-3 pr-6 text-right text-clove">{position}</td>
      <td className="figures py-3 pr-4 whitespace-nowrap text-clove">{exactMomentText(recordedAt)}</td>
      <td className="py-3 pr-4">
        {wordOf(type).text}
        {note !== undefined && <span className="block text-[0.8125rem] wrap-anywhere text-clove">{note}</span>}
        {unreadable !== undefined && <span className="block text-[0.8125rem] wrap-anywhere text-sindoor">{unreadable}</span>}
        <span className="block">
          <LeadsTo event={event} />
        </span>
      </td>
      <td className="py-3 pr-4">
        <EventSubject {...event} />
      </td>
      <td className="py-3 pr-4 wrap-anywhere">{actorText(event)}</td>
      <td className="py-3 font-mono text-xs text-clove">{shortHash(metadata?.hash)}</td>
    </tr>
  );
};
