import { Link } from 'react-router-dom';
import { pages } from '#domain/pages.ts';
import { Alert } from '../../../ui/Alert.tsx';
import { isLostSession, type Failure } from '../order-failure.ts';

type CheckoutProblemProps = {
  readonly failure: Failure;
  /** Where to sign in, and be led back from. */
  readonly signIn: string;
};

const way = 'link inline-flex min-h-8 items-center font-semibold';

/** Why the order could not be made, perfume by perfume where it is about those, and the way on. What was typed stays. */
export const CheckoutProblem = ({ failure, signIn }: CheckoutProblemProps) => {
  const reasons = Object.entries(failure.errors);
  const lost = isLostSession(failure);
  return (
    <Alert className="mt-6">
      {failure.message}
      {reasons.map(([about, reason]) => (
        <span key={about} className="mt-1 block wrap-anywhere">
          {reason}
        </span>
      ))}
      {lost && <span className="mt-1 block">If your session has ended, sign in again: what you have typed stays.</span>}
      <span className="mt-1 flex flex-wrap gap-x-5">
        {(lost || failure.status === 409) && (
          <Link to={pages.cart} className={way}>
            Back to your cart
          </Link>
        )}
        {lost && (
          <Link to={signIn} className={way}>
            Sign in
          </Link>
        )}
      </span>
    </Alert>
  );
};
