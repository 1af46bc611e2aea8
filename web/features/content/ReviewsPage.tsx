import { useSelector } from 'react-redux';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { selectContent } from './content-slice.ts';
import { ReviewQuote } from './ReviewQuote.tsx';

export const ReviewsPage = () => {
  usePageTitle('Reviews');
  const reviews = useSelector(selectContent)?.customerExperience.reviews ?? [];
  return (
    <div className="page-x pb-section">
      <div className="py-block">
        <h1 className="display text-display">Reviews</h1>
        <p className="mt-4 max-w-xl text-lead text-clove">In the words of those who wear it.</p>
      </div>
      <ul className="grid gap-x-10 gap-y-14 md:grid-cols-2 lg:grid-cols-3">
        {reviews.map((review) => (
          <li key={review.id}>
            <ReviewQuote review={review} />
          </li>
        ))}
      </ul>
    </div>
  );
};
