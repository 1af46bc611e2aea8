import { useDispatch, useSelector } from 'react-redux';
import type { OrderView } from '#domain/order/view.ts';
import { pages } from '#domain/site/pages.ts';
import { count } from '../../../lib/format.ts';
import { Alert } from '../../../ui/feedback/Alert.tsx';
import { Button } from '../../../ui/Button.tsx';
import type { ButtonLook } from '../../../ui/button-style.ts';
import { TextLink } from '../../../ui/TextLink.tsx';
import type { AgainOutcome } from '../buy-again.ts';
import { formatOrderNumber } from '../order-paths.ts';
import { againRequested, findFailure, isPending, selectOrder } from '../order-slice.ts';

type BuyAgainProps = Pick<ButtonLook, 'kind' | 'size'> & { readonly order: OrderView };

const describe = ({ added, isWhole }: AgainOutcome): string => {
  if (!isWhole) return 'Not all of it could be added: your cart shows what is in it.';
  return added === 0 ? 'Nothing was put into your cart.' : `${count(added, 'perfume is', 'perfumes are')} in your cart.`;
};

/** Puts the order's lines into the cart, and tells what is gone or costs something else now. */
export const BuyAgain = ({ order, ...look }: BuyAgainProps) => {
  const dispatch = useDispatch();
  const state = useSelector(selectOrder);
  const isOwn = state.again?._id === order._id;
  const isBusy = isPending(state, 'again');
  const failure = isOwn ? findFailure(state, 'again') : null;
  const outcome = isOwn ? state.again?.outcome : undefined;
  return (
    <div className="max-w-[38rem] space-y-4 max-sm:w-full">
      <Button
        {...look}
        className="min-w-44 max-sm:w-full"
        busy={isBusy && isOwn ? 'Adding...' : undefined}
        disabled={isBusy}
        onClick={() => dispatch(againRequested(order))}
      >
        <span>
          Buy again<span className="sr-only"> what is in order {formatOrderNumber(order)}</span>
        </span>
      </Button>
      {failure && <Alert>{failure.message}</Alert>}
      {outcome && (
        <Alert
          kind={outcome.changes.length > 0 || !outcome.isWhole ? 'warning' : 'success'}
          action={outcome.added > 0 && <TextLink to={pages.cart}>See your cart</TextLink>}
        >
          <span className="block">{describe(outcome)}</span>
          {outcome.changes.map((change) => (
            <span key={change} className="mt-1 block">
              {change}
            </span>
          ))}
        </Alert>
      )}
    </div>
  );
};
