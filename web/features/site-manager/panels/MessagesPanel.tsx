import { dayText, momentText } from '../../../lib/dates.ts';
import { formatNumber } from '../../../lib/format.ts';
import { createPagedList, useShownCount } from '../../../lib/paged-list.ts';
import { useMedia } from '../../../lib/use-media.ts';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import type { ContactMessage } from '../admin-types.ts';
import { DownloadCsv } from '../DownloadCsv.tsx';
import { ListFrame } from '../ListFrame.tsx';
import { ROWS, useContactsInfiniteQuery } from '../admin-api.ts';
import { PanelHead } from '../PanelHead.tsx';
import { TableHead } from '../TableHead.tsx';

/** Shows visitors' messages as plain text, newest first. */
export const MessagesPanel = ({ total }: { readonly total: number | undefined }) => {
  const count = useShownCount(ROWS);
  const list = createPagedList(useContactsInfiniteQuery(undefined, count.options), count);
  const isWide = useMedia('(min-width: 64rem)');
  return (
    <section aria-label="Contact Messages">
      <PanelHead title="Contact Messages" count={total === undefined ? undefined : formatNumber(total)}>
        <DownloadCsv name="contact_messages" count={total} />
      </PanelHead>
      <ListFrame
        list={list}
        loading="Loading messages..."
        empty={<EmptyState title="No messages yet">What visitors write on the contact page comes here.</EmptyState>}
        total={total}
      >
        {(rows) => (isWide ? <MessagesTable messages={rows} /> : <MessageCards messages={rows} />)}
      </ListFrame>
    </section>
  );
};

type MessagesProps = { readonly messages: readonly ContactMessage[] };

const columns = [
  { title: 'Name', className: 'w-[14%]' },
  { title: 'Email', className: 'w-[21%]' },
  { title: 'Phone', className: 'w-[12%]' },
  'Message',
  { title: 'Date', className: 'w-40 xl:w-48' },
];

const MessagesTable = ({ messages }: MessagesProps) => (
  // The layout is fixed, so that a long name or address cannot squeeze the message column.
  <table className="mt-6 w-full table-fixed border-t border-ink/80">
    <TableHead columns={columns} />
    <tbody>
      {messages.map(({ _id, name, email, phone, message, createdAt }) => (
        <tr key={_id} data-row={_id} className="border-b border-sandal/70 align-top text-[0.9375rem] hover:bg-white">
          <td className="py-4 pr-6 font-medium wrap-anywhere">{name}</td>
          <td className="py-4 pr-6">
            <MailLink email={email} />
          </td>
          <td className="figures py-4 pr-6 wrap-anywhere">{phone}</td>
          <td className="py-4 pr-6 leading-relaxed whitespace-pre-line text-clove wrap-anywhere">{message}</td>
          <td className="figures py-4 text-clove">{momentText(createdAt)}</td>
        </tr>
      ))}
    </tbody>
  </table>
);

const MessageCards = ({ messages }: MessagesProps) => (
  <ul className="mt-6 space-y-3">
    {messages.map(({ _id, name, email, phone, message, createdAt }) => (
      <li key={_id} data-row={_id} className="rounded-sm border border-sandal bg-white p-5">
        <div className="flex items-baseline justify-between gap-3">
          <p className="min-w-0 font-medium wrap-anywhere">{name}</p>
          <p className="figures shrink-0 text-xs text-clove">{dayText(createdAt)}</p>
        </div>
        <p className="mt-2.5 leading-relaxed whitespace-pre-line text-clove wrap-anywhere">{message}</p>
        <p className="mt-3 flex flex-wrap gap-x-5 text-[0.875rem]">
          <MailLink email={email} />
          {phone && <span className="figures inline-flex min-h-8 items-center">{phone}</span>}
        </p>
      </li>
    ))}
  </ul>
);

/** Encodes characters as RFC 6068 requires; the `@` stays as it is. */
const createMailto = (email: string): string => `mailto:${encodeURIComponent(email).replaceAll('%40', '@')}`;

const MailLink = ({ email }: { readonly email: string }) => (
  <a href={createMailto(email)} className="link inline-flex min-h-8 min-w-0 items-center wrap-anywhere">
    {email}
  </a>
);
