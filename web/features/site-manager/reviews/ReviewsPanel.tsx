import { EyeOff } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { LONGEST_NOTE } from '#domain/order/fulfilment.ts';
import { getMessage } from '../../../lib/http/api.ts';
import { dayText } from '../../../lib/dates.ts';
import { formatNumber } from '../../../lib/format.ts';
import { createPagedList } from '../../../lib/paged-list.ts';
import { useDebounced } from '../../../lib/use-debounced.ts';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { TextArea } from '../../../ui/form/Field.tsx';
import { findMissing, useValidatedForm } from '../../../ui/form/use-validated-form.ts';
import { Picture } from '../../../ui/Picture.tsx';
import { SearchInput } from '../../../ui/SearchInput.tsx';
import { Stars } from '../../../ui/Stars.tsx';
import { cx } from '../../../ui/cx.ts';
import { ROWS } from '../admin-api.ts';
import { ListFrame } from '../ListFrame.tsx';
import { useNotify } from '../Notices.tsx';
import { FormDialog } from '../../../ui/overlay/FormDialog.tsx';
import { PanelHead } from '../PanelHead.tsx';
import { Segments } from '../Segments.tsx';
import { useFilters, usePagesShown } from '../use-panel.ts';
import { type DeskReview, useDeskReviewsInfiniteQuery, useModerateReviewMutation, useReviewCountsQuery } from './desk-reviews-api.ts';

const lists = ['', 'new', 'hidden'] as const;

/** All reviews, newest first. Staff hide one with a reason, and show it again. */
export const ReviewsPanel = () => {
  const [valueOf, filter] = useFilters();
  const [chosen, text] = [lists.find((list) => list === valueOf('status')) ?? '', valueOf('q')];
  const q = useDebounced(text.trim());
  const count = usePagesShown(ROWS);
  const { data: counts } = useReviewCountsQuery();
  const list = createPagedList(
    useDeskReviewsInfiniteQuery({ ...(chosen !== '' && { list: chosen }), ...(q !== '' && { q }) }, count.options),
    count,
  );
  const [hiding, setHiding] = useState<DeskReview>();
  const options = [
    { value: '', text: 'All', count: counts?.all },
    { value: 'new', text: 'New', count: counts?.new },
    { value: 'hidden', text: 'Hidden', count: counts?.hidden },
  ] as const;
  const nothing = q === '' ? <EmptyState title="No reviews here">What buyers write about a perfume comes here.</EmptyState> : undefined;
  return (
    <section aria-label="Reviews">
      <PanelHead title="Reviews" count={counts && `${formatNumber(counts.new)} new`}>
        <div className="min-w-0 flex-1 lg:w-68 lg:flex-none">
          <SearchInput
            label="Perfume, name or words"
            value={text}
            onType={(typed) => filter({ q: typed })}
            className="h-11 text-[0.9375rem] lg:h-10"
          />
        </div>
      </PanelHead>
      <div className="mt-2">
        <Segments label="Lists" options={options} chosen={chosen} onChoose={(status) => filter({ status })} />
      </div>
      <ListFrame
        list={list}
        loading="Loading reviews..."
        empty={nothing ?? <EmptyState title="No such reviews">Nothing contains “{q}”.</EmptyState>}
      >
        {(rows) => (
          <ul className="mt-3 border-t border-ink/80">
            {rows.map((review) => (
              <ReviewRow key={review._id} review={review} onHide={() => setHiding(review)} />
            ))}
          </ul>
        )}
      </ListFrame>
      {hiding && <HideDialog review={hiding} onClose={() => setHiding(undefined)} />}
    </section>
  );
};

type ReviewRowProps = { readonly review: DeskReview; readonly onHide: () => void };

const ReviewRow = ({ review, onHide }: ReviewRowProps) => {
  const { _id, product, rating, text, name, at, isNew, hidden, hiddenBy, reason } = review;
  const notify = useNotify();
  const [moderate, { isLoading }] = useModerateReviewMutation();
  const show = async (): Promise<void> => {
    const { error } = await moderate({ id: _id, hidden: false });
    notify(error ? { kind: 'failure', message: getMessage(error) } : { kind: 'success', message: `The review by ${name} is shown again` });
  };
  return (
    <li
      data-row={_id}
      className={cx('grid gap-x-6 gap-y-2 border-b border-sandal/70 py-4 lg:grid-cols-[15rem_minmax(0,1fr)_auto]', hidden && 'text-clove')}
    >
      <div className="flex items-center gap-3">
        {product.picture !== '' && <Picture src={product.picture} alt="" sizes="36px" className="aspect-4/5 w-9 shrink-0 object-cover" />}
        <div>
          <p className="text-[0.9375rem] leading-tight font-medium wrap-anywhere">
            <Link to={`/product/${encodeURIComponent(product._id)}#reviews`} className="hover:text-oxblood">
              {product.name}
            </Link>
          </p>
          <Stars rating={rating} />
        </div>
      </div>
      <div className="min-w-0">
        {text !== '' && (
          <p className={cx('leading-relaxed whitespace-pre-line wrap-anywhere', hidden && 'line-through decoration-teak')}>{text}</p>
        )}
        <p className="mt-1 flex flex-wrap items-center gap-x-3 text-[0.8125rem] text-clove">
          <span className="wrap-anywhere">{name}</span>
          <span className="figures">{dayText(at)}</span>
          {isNew && <span className="font-medium text-oxblood">New</span>}
          {hidden && (
            <span className="inline-flex items-center gap-1.5 wrap-anywhere">
              <EyeOff className="size-3.5 shrink-0" strokeWidth={1.8} aria-hidden="true" />
              <span>
                Hidden by {hiddenBy}
                {reason !== '' && `: ${reason}`}
              </span>
            </span>
          )}
        </p>
      </div>
      <span className="lg:pt-0.5">
        <button
          type="button"
          disabled={isLoading}
          aria-label={`${hidden ? 'Show again' : 'Hide'}, review by ${name}`}
          onClick={hidden ? () => void show() : onHide}
          className="-ml-2 inline-flex min-h-9 items-center px-2 text-[0.875rem] font-medium whitespace-nowrap text-oxblood hover:text-garnet max-lg:min-h-11 lg:-mr-2 lg:!ml-0"
        >
          <span className="link">{hidden ? 'Show again' : 'Hide'}</span>
        </button>
      </span>
    </li>
  );
};

type HideDialogProps = { readonly review: DeskReview; readonly onClose: () => void };

const HideDialog = ({ review: { _id: id, name, product }, onClose }: HideDialogProps) => {
  const notify = useNotify();
  const [moderate] = useModerateReviewMutation();
  const { field, ...form } = useValidatedForm<{ reason: string }>({
    defaultValues: { reason: '' },
    validate: (values) => findMissing(['reason'], values),
    send: async ({ reason }) => {
      await moderate({ id, hidden: true, reason: reason.trim() }).unwrap();
      notify({ kind: 'success', message: `The review by ${name} is hidden` });
      onClose();
    },
  });
  return (
    <FormDialog
      title={`Hide the review by ${name}`}
      description={<p>It leaves the page and the stars of {product.name}. Its author cannot change it or write another.</p>}
      action="Hide review"
      keep="Keep review"
      busy="Hiding..."
      form={form}
      onClose={onClose}
    >
      <TextArea {...field('reason')} label="Reason" rows={3} maxLength={LONGEST_NOTE} hint="It stands in the audit." />
    </FormDialog>
  );
};
