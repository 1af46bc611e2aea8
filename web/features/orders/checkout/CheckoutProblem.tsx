import { Link } from 'react-router-dom';
import { pages } from '#domain/site/pages.ts';
import { Alert } from '../../../ui/Alert.tsx';
import { type Failure, isLostSession, reasonsOf } from '../order-failure.ts';
import type { SummaryLine } from '../summary/summary-lines.ts';

type CheckoutProblemProps = {
  readonly failure: Failure;
  readonly lines: readonly SummaryLine[];
  /** The sign-in page, with the way back. */
  readonly signIn: string;
};

const linkTo = 'link inline-flex min-h-8 items-center font-semibold';

/** Why the order could not be created, per product where it is about products, and what to do. The form stays filled. */
export const CheckoutProblem = ({ failure, lines, signIn }: CheckoutProblemProps) => {
  const lost = isLostSession(failure);
  return (
    <Alert className="mt-6">
      {failure.message}
      {reasonsOf(failure, lines).map((reason) => (
        <span key={reason} className="mt-1 block wrap-anywhere">
          {reason}
        </span>
      ))}
      {lost && <span className="mt-1 block">If your session has ended, sign in again: what you have typed stays.</span>}
      <span className="mt-1 flex flex-wrap gap-x-5">
        {(lost || failure.status === 409) && (
          <Link to={pages.cart} className={linkTo}>
            Back to your cart
          </Link>
        )}
        {lost && (
          <Link to={signIn} className={linkTo}>
            Sign in
          </Link>
        )}
      </span>
    </Alert>
  );
};
