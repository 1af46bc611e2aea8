import { useState } from 'react';
import { instant } from '#domain/shared/time.ts';
import { getMessage } from '../../lib/http/api.ts';
import { momentText } from '../../lib/dates.ts';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { LoadFailed } from '../../ui/feedback/LoadFailed.tsx';
import { LoadMore } from '../../ui/LoadMore.tsx';
import { Status } from '../../ui/feedback/Status.tsx';
import { useSecurityInfiniteQuery } from './audit-api.ts';
import type { SecurityEvent } from './audit-types.ts';

/** The filter offers the kinds in this order. An unknown kind is shown by its name. */
const KINDS: ReadonlyMap<string, string> = new Map([
  ['login_failed', 'Sign-in failed'],
  ['login_refused', 'Sign-in refused'],
  ['signed_in', 'Signed in'],
  ['code_burnt', 'One-time code used up'],
  ['limit_reached', 'Too many requests'],
  ['cross_site_refused', 'Request from another site refused'],
  ['right_refused', 'No right to do so'],
  ['refusals_left_out', 'Further refusals, only counted'],
  ['password_reset_asked', 'Password reset asked for'],
  ['password_changed', 'Password changed'],
  ['session_ended', 'Device signed out'],
  ['email_changed', 'E-mail address changed'],
  ['email_taken_back', 'E-mail address taken back'],
  ['second_factor_added', 'Second factor turned on'],
  ['second_factor_removed', 'Second factor turned off'],
  ['identity_linked', 'Third-party sign-in linked'],
  ['rights_granted', 'Rights given'],
  ['staff_invited', 'Invited to the staff'],
  ['invitation_withdrawn', 'Invitation withdrawn'],
  ['staff_joined', 'Joined the staff'],
  ['staff_roles_changed', 'Roles changed'],
  ['staff_disabled', 'Disabled'],
  ['staff_enabled', 'Enabled'],
  ['staff_left', 'Left the staff'],
  ['contacts_read', 'Messages read'],
  ['subscribers_read', 'Subscribers read'],
  ['audit_read', 'Books looked into'],
  ['downloaded', 'Table downloaded'],
  ['exported', 'Data of a person downloaded'],
  ['erasure_asked', 'Erasure asked for'],
  ['erased', 'User erased'],
  ['pruned', 'Older rows deleted'],
]);

/** Security-relevant events for auditors to read: who did what, when and in which request. */
export const SecurityLog = () => {
  const [kind, setKind] = useState('');
  const { currentData, error, isFetching, isFetchingNextPage, isFetchNextPageError, hasNextPage, fetchNextPage, refetch } =
    useSecurityInfiniteQuery(kind);
  const events = currentData?.pages.flatMap((page) => page.events) ?? [];
  const more = { loading: isFetchingNextPage, failed: isFetchNextPageError, canLoad: !isFetching, show: () => void fetchNextPage() };
  return (
    <section aria-labelledby="security-log" aria-busy={isFetching}>
      <div className="flex flex-wrap items-end justify-between gap-4 pb-5">
        <h2 id="security-log" className="display text-h3">
          Security log
        </h2>
        <KindFilter kind={kind} onChange={setKind} />
      </div>
      {events.length > 0 && <Events events={events} />}
      {currentData && events.length === 0 && <EmptyState title="Nothing of this kind has been noted." />}
      {isFetching && !currentData && <Status className="text-clove">Loading the security log...</Status>}
      {error !== undefined && !isFetching && !isFetchNextPageError && (
        <LoadFailed onRetry={() => void refetch()}>{getMessage(error)}</LoadFailed>
      )}
      {currentData && hasNextPage && <LoadMore shown={events.length} more={more} failure={getMessage(error)} />}
    </section>
  );
};

const KindFilter = ({ kind, onChange }: { readonly kind: string; readonly onChange: (kind: string) => void }) => (
  <label className="flex flex-wrap items-center gap-3 text-[0.875rem] font-medium">
    Show
    <select
      value={kind}
      onChange={({ target }) => onChange(target.value)}
      className="min-h-11 rounded-xs border border-teak bg-white px-3 text-ink"
    >
      <option value="">Everything</option>
      {[...KINDS].map(([name, words]) => (
        <option key={name} value={name}>
          {words}
        </option>
      ))}
    </select>
  </label>
);

const cell = 'py-2.5 pr-6 align-top';

/** The table is wider than a phone and scrolls horizontally; the tab stop lets the keyboard scroll it. */
const Events = ({ events }: { readonly events: readonly SecurityEvent[] }) => (
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reached by the keyboard
  <div tabIndex={0} role="region" aria-label="Security log, table" className="overflow-x-auto">
    <table className="w-full min-w-[56rem] text-left text-[0.875rem]">
      <thead className="border-b border-teak text-clove">
        <tr>
          {['When', 'What', 'Who', 'From', 'Details', 'Request'].map((title) => (
            <th key={title} scope="col" className={`${cell} font-medium`}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {events.map((event) => (
          <Row key={event._id} event={event} />
        ))}
      </tbody>
    </table>
  </div>
);

const Row = ({ event: { at, kind, subject, address, detail, requestId } }: { readonly event: SecurityEvent }) => (
  <tr className="border-b border-sandal">
    <td className={`${cell} figures whitespace-nowrap`}>
      <time dateTime={at}>{momentText(instant(at))}</time>
    </td>
    <td className={cell}>{KINDS.get(kind) ?? kind}</td>
    <td className={`${cell} wrap-anywhere`}>{subject ?? 'Nobody known'}</td>
    <td className={`${cell} figures`}>{address ?? 'The shop itself'}</td>
    <td className={cell}>
      {Object.entries(detail)
        .map(([name, value]) => `${name}: ${String(value)}`)
        .join(', ')}
    </td>
    <td className={`${cell} wrap-anywhere`}>{requestId}</td>
  </tr>
);
