import { Star } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import type { ProductView } from '#domain/product/view.ts';
import { ratings, type Rating } from '#domain/review/events.ts';
import { LONGEST_REVIEW } from '#domain/review/review.ts';
import { getMessage } from '../../lib/http/api.ts';
import { dayText } from '../../lib/dates.ts';
import { formatNumber } from '../../lib/format.ts';
import { Alert } from '../../ui/feedback/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { Stars } from '../../ui/Stars.tsx';
import { cx } from '../../ui/cx.ts';
import { TextArea } from '../../ui/form/Field.tsx';
import { useValidatedForm } from '../../ui/form/use-validated-form.ts';
import { useOwnReviewQuery, useSaveReviewMutation, useWithdrawReviewMutation, type Own, type OwnReview } from './reviews-api.ts';

type OwnReviewBoxProps = { readonly product: ProductView; readonly onChanged: () => void };

/** Links to writing a review lead to this part of the product's page. */
const WRITING = 'write-review';

/** Buyers write their review here, change it or withdraw it. Nothing is shown to others. */
export const OwnReviewBox = ({ product, onChanged }: OwnReviewBoxProps) => {
  const { currentData: own } = useOwnReviewQuery(product._id);
  const [isEditing, setEditing] = useState(false);
  const [said, setSaid] = useState('');
  const box = useRef<HTMLDivElement>(null);
  const isShown = own !== undefined && (own.mayWrite || own.review !== null);
  const { hash } = useLocation();
  useEffect(() => {
    if (!isShown || hash !== `#${WRITING}`) return;
    box.current?.scrollIntoView();
    box.current?.focus({ preventScroll: true });
  }, [isShown, hash]);
  if (!isShown) return null;

  /** The controls that had the focus are gone, so the box takes it. */
  const done = (message: string): void => {
    setSaid(message);
    setEditing(false);
    box.current?.focus({ preventScroll: true });
    onChanged();
  };
  const { review } = own;
  return (
    <div
      id={WRITING}
      ref={box}
      tabIndex={-1}
      role="group"
      aria-label="Your review"
      className="scroll-mt-24 self-start bg-paper p-6 outline-none sm:p-7 lg:max-xl:col-start-2 xl:w-96"
    >
      {review && !isEditing ? (
        <Written
          product={product}
          review={review}
          onChange={() => setEditing(true)}
          onWithdrawn={() => done('Your review is withdrawn.')}
        />
      ) : (
        <ReviewForm
          product={product}
          own={own}
          onSaved={() => done('Thank you. Your review is on the page.')}
          onKept={review ? () => setEditing(false) : undefined}
        />
      )}
      <output className={cx('text-[0.875rem] font-medium text-khus-deep', said !== '' && 'mt-4 block')}>{said}</output>
    </div>
  );
};

type WrittenProps = {
  readonly product: ProductView;
  readonly review: OwnReview;
  readonly onChange: () => void;
  readonly onWithdrawn: () => void;
};

const Written = ({ product, review: { _id: id, rating, text, at, isHidden }, onChange, onWithdrawn }: WrittenProps) => {
  const [withdraw, { error, isLoading }] = useWithdrawReviewMutation();
  const leave = async (): Promise<void> => {
    const { error: failure } = await withdraw({ product: product._id, id });
    if (failure === undefined) onWithdrawn();
  };
  return (
    <>
      <h3 className="display text-h3">Your review</h3>
      <p className="mt-1 text-[0.875rem] text-clove">
        {isHidden ? 'We have hidden it, so it is on no page and cannot be changed.' : `Written on ${dayText(at)}.`}
      </p>
      <div className="mt-4">
        <Stars rating={rating} />
      </div>
      {text !== '' && <p className="mt-2 leading-relaxed whitespace-pre-line wrap-anywhere">{text}</p>}
      {error !== undefined && <Alert className="mt-4">{getMessage(error)}</Alert>}
      <div className="mt-5 flex flex-wrap gap-3">
        {!isHidden && (
          <Button kind="outline" onClick={onChange}>
            Change
          </Button>
        )}
        <Button kind="quiet" busy={isLoading ? 'Withdrawing...' : undefined} onClick={() => void leave()}>
          Withdraw
        </Button>
      </div>
    </>
  );
};

type ReviewFormProps = {
  readonly product: ProductView;
  readonly own: Own;
  readonly onSaved: () => void;
  readonly onKept: (() => void) | undefined;
};

const ReviewForm = ({ product, own: { review, boughtAt }, onSaved, onKept }: ReviewFormProps) => {
  const [save] = useSaveReviewMutation();
  const { field, submit, watch, change, errors, message, isSending } = useValidatedForm<{ rating: string; text: string }>({
    defaultValues: { rating: review ? String(review.rating) : '', text: review?.text ?? '' },
    validate: ({ rating }) => (rating === '' ? { rating: 'Please choose a number of stars' } : {}),
    send: async ({ rating, text }) => {
      await save({ product: product._id, id: review?._id, rating: Number(rating) as Rating, text }).unwrap();
      onSaved();
    },
  });
  const { onChange: _, ...rating } = field('rating');
  const chosen = Number(watch('rating'));
  return (
    <form noValidate onSubmit={submit}>
      <h3 className="display text-h3">{review ? 'Change your review' : 'You wore it. How is it?'}</h3>
      <p className="mt-1 text-[0.875rem] text-clove">
        {boughtAt === null ? '' : `Bought on ${dayText(boughtAt)}. `}Your first name stands beside it.
      </p>
      <fieldset className="mt-5" aria-describedby={errors['rating'] ? 'rating-error' : undefined}>
        <legend className="text-[0.875rem] font-medium">Your rating</legend>
        <div className="mt-1 -ml-2 flex text-gold">
          {ratings.map((stars) => (
            <label
              key={stars}
              className="inline-flex size-11 cursor-pointer items-center justify-center rounded-xs has-focus-visible:outline-2 has-focus-visible:-outline-offset-2 has-focus-visible:outline-oxblood"
            >
              <Star aria-hidden="true" className={cx('size-6', stars <= chosen && 'fill-current')} strokeWidth={1.2} />
              <input
                {...rating}
                type="radio"
                value={stars}
                checked={stars === chosen}
                onChange={() => change({ rating: String(stars) })}
                aria-label={`${stars} of 5 stars`}
                className="sr-only"
              />
            </label>
          ))}
        </div>
        {errors['rating'] && (
          <p id="rating-error" className="text-[0.875rem] font-medium text-sindoor">
            {errors['rating']}
          </p>
        )}
      </fieldset>
      <TextArea {...field('text')} label="In your words" optional rows={4} maxLength={LONGEST_REVIEW} className="mt-4" />
      <p className="figures mt-1.5 text-right text-xs text-clove">
        {formatNumber(watch('text').length)} of {formatNumber(LONGEST_REVIEW)}
      </p>
      {message !== undefined && <Alert className="mt-3">{message}</Alert>}
      <div className="mt-3 flex flex-wrap gap-3">
        <Button type="submit" busy={isSending ? 'Saving...' : undefined} className="max-sm:w-full">
          {review ? 'Save review' : 'Post review'}
        </Button>
        {onKept && (
          <Button kind="quiet" onClick={onKept}>
            Keep it as it was
          </Button>
        )}
      </div>
    </form>
  );
};
