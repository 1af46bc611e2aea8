import { Reply } from 'lucide-react';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { formatNumber } from '../../../lib/format.ts';
import { momentText } from '../../../lib/dates.ts';
import { createPagedList } from '../../../lib/paged-list.ts';
import { useDebounced } from '../../../lib/use-debounced.ts';
import { useMedia } from '../../../lib/use-media.ts';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { SearchInput } from '../../../ui/SearchInput.tsx';
import { cx } from '../../../ui/cx.ts';
import type { ContactMessage } from '../admin-types.ts';
import { DownloadCsv } from '../DownloadCsv.tsx';
import { ListFrame } from '../ListFrame.tsx';
import { type MessageFilter, ROWS, useContactsInfiniteQuery } from '../admin-api.ts';
import { PanelHead } from '../PanelHead.tsx';
import { Segments } from '../Segments.tsx';
import { useFirst, useLast } from '../use-kept-row.ts';
import { useFilters, usePagesShown } from '../use-panel.ts';
import { MessageDetails } from './MessageDetails.tsx';

const lists = ['', 'answered', 'all'] as const;
/** Who waits is shown first. */
const stateOf: Readonly<Record<string, MessageFilter['state']>> = { '': 'new', answered: 'answered', all: undefined };

/** The list of messages, and beside it the one that is read; on narrow screens one after the other. */
export const MessagesPanel = ({ total }: { readonly total: number | undefined }) => {
  const [valueOf, filter] = useFilters();
  const [chosen, text, open] = [lists.find((list) => list === valueOf('status')) ?? '', valueOf('q'), valueOf('open')];
  const q = useDebounced(text.trim());
  const count = usePagesShown(ROWS);
  const state = stateOf[chosen];
  const query = useContactsInfiniteQuery({ ...(state && { state }), ...(q !== '' && { q }) }, count.options);
  const list = createPagedList(query, count);
  const [answered, setAnswered] = useState<readonly string[]>([]);
  const waiting = query.data?.pages[0]?.waiting;
  const options = [
    { value: '', text: 'To answer', count: waiting },
    { value: 'answered', text: 'Answered', count: total !== undefined && waiting !== undefined ? total - waiting : undefined },
    { value: 'all', text: 'All', count: total },
  ] as const;
  return (
    <section aria-label="Contact Messages">
      <PanelHead title="Contact Messages" count={waiting === undefined ? undefined : `${formatNumber(waiting)} to answer`}>
        <div className="min-w-0 flex-1 lg:w-68 lg:flex-none">
          <SearchInput
            label="Name, e-mail or words"
            value={text}
            onType={(typed) => filter({ q: typed, open: '' })}
            className="h-11 text-[0.9375rem] lg:h-10"
          />
        </div>
        <span className="max-lg:hidden">
          <DownloadCsv name="contact_messages" count={total} />
        </span>
      </PanelHead>
      <div className="mt-2">
        <Segments label="Lists" options={options} chosen={chosen} onChoose={(status) => filter({ status, open: '' })} />
      </div>
      <ListFrame list={list} loading="Loading messages..." empty={<Nothing q={q} state={state} />} total={undefined}>
        {(rows, outdated) => (
          <Messages
            rows={rows}
            outdated={outdated}
            question={`${chosen} ${q}`}
            open={open}
            answered={answered}
            onAnswered={(id) => setAnswered((ids) => [...ids, id])}
          />
        )}
      </ListFrame>
    </section>
  );
};

type MessagesProps = {
  readonly rows: readonly ContactMessage[];
  readonly outdated: boolean;
  readonly question: string;
  readonly open: string;
  /** The ids of the messages that were answered here. */
  readonly answered: readonly string[];
  readonly onAnswered: (id: string) => void;
};

const Messages = ({ rows, outdated, question, open, answered, onAnswered }: MessagesProps) => {
  const isWide = useMedia('(min-width: 64rem)');
  const find = (id: string | undefined) => rows.find(({ _id }) => _id === id);
  const named = answered.includes(open) && !find(open) ? '' : open;
  // The message that is read stays when a newer one arrives. It also stays when a colleague answers it, because an answer may be typed here.
  const first = useFirst({ rows, outdated }, question, (gone) => named !== '' || answered.includes(gone));
  const wanted = named === '' && isWide ? first : named;
  const row = find(wanted);
  const read = useLast(row, wanted);
  return (
    <div className="mt-3 border-t border-ink/80 lg:grid lg:grid-cols-[17rem_minmax(0,1fr)] xl:grid-cols-[21rem_minmax(0,1fr)]">
      {!read && wanted !== '' && !outdated && (
        <p className="py-4 text-[0.9375rem] text-clove lg:order-last lg:pt-5 lg:pl-6 xl:pl-8">
          The message that was to be shown is not in this list. Choose another, or load more of the list.
        </p>
      )}
      {(isWide || !read) && <MessageList rows={rows} read={row} />}
      {read && (
        <MessageDetails
          key={read._id}
          message={read}
          isAlone={!isWide}
          isGone={!row && !outdated}
          onAnswered={() => onAnswered(read._id)}
        />
      )}
    </div>
  );
};

const Nothing = ({ q, state }: { readonly q: string; readonly state: MessageFilter['state'] }) => {
  if (q !== '') return <EmptyState title="No such messages">Nothing contains “{q}”.</EmptyState>;
  if (state === 'new') return <EmptyState title="Nobody waits">Every message has its answer.</EmptyState>;
  return <EmptyState title="No messages yet">What visitors write on the contact page comes here.</EmptyState>;
};

/** The address of the panel with this message open, or none. */
const useMessageLink = (): ((id: string) => string) => {
  const [params] = useSearchParams();
  return (id) => `?${new URLSearchParams(Object.entries({ ...Object.fromEntries(params), open: id }).filter(([, value]) => value !== ''))}`;
};

type MessageListProps = { readonly rows: readonly ContactMessage[]; readonly read: ContactMessage | undefined };

const MessageList = ({ rows, read }: MessageListProps) => {
  const linkTo = useMessageLink();
  return (
    <ul className="lg:border-r lg:border-sandal">
      {rows.map(({ _id, name, message, createdAt, state, answers }) => (
        <li key={_id} data-row={_id} className="border-b border-sandal/70">
          <Link
            to={linkTo(_id)}
            state={{ stay: true }}
            aria-current={_id === read?._id ? 'true' : undefined}
            className={cx(
              'relative block py-3 pr-4 pl-5 hover:bg-white',
              _id === read?._id && 'lg:bg-white lg:shadow-[inset_3px_0_0_var(--color-oxblood)]',
            )}
          >
            {state === 'new' && (
              <span className="absolute top-[1.15rem] left-1.5 size-2 rounded-full bg-oxblood">
                <span className="sr-only">New</span>
              </span>
            )}
            <span className="flex items-baseline justify-between gap-3">
              <span className={cx('truncate text-[0.9375rem]', state === 'new' ? 'font-semibold' : 'font-medium')}>{name}</span>
              <span className="figures shrink-0 text-xs text-clove">{momentText(createdAt)}</span>
            </span>
            <span className="mt-0.5 line-clamp-2 text-[0.875rem] leading-snug wrap-anywhere text-clove">{message}</span>
            {answers.length > 0 && (
              <span className="mt-1.5 flex items-center gap-1.5 text-[0.8125rem] text-khus-deep">
                <Reply className="size-3.5" strokeWidth={2} aria-hidden="true" />
                <span>
                  <span className="sr-only">Answered by </span>
                  {answers.at(-1)?.by}
                </span>
              </span>
            )}
          </Link>
        </li>
      ))}
    </ul>
  );
};
