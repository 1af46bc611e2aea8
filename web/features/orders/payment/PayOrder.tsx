import { useEffect } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import type { OrderView } from '#domain/order/view.ts';
import { moneyText } from '../../../lib/money-text.ts';
import { Alert } from '../../../ui/feedback/Alert.tsx';
import { Button } from '../../../ui/Button.tsx';
import { SlowAnswer } from '../../../ui/feedback/SlowAnswer.tsx';
import { numberOf } from '../order-number.ts';
import { checkRequested, failureIn, isPending, payLeft, payRequested, selectOrder } from '../order-slice.ts';

type PayOrderProps = {
  readonly order: OrderView;
  readonly size?: 'md' | 'lg';
  /** The payment is being looked for: nobody should pay twice. */
  readonly waits?: boolean;
};

/** For an order that is due: goes to the payment page of the gateway, in this window. */
export const PayOrder = ({ order: { _id: id, orderNumber, payment }, size = 'md', waits = false }: PayOrderProps) => {
  const dispatch = useDispatch();
  const state = useSelector(selectOrder);
  const isPaying = isPending(state, 'pay');
  const isOwn = state.paying === id;
  const isLeaving = isPaying && isOwn;
  const failure = isOwn ? failureIn(state, 'pay') : null;
  useEffect(() => () => void dispatch(payLeft(id)), [dispatch, id]);
  useEffect(() => {
    if (!isLeaving) return undefined;
    // Back from the gateway, to a page that the browser has kept as it was left.
    const comeBack = ({ persisted }: PageTransitionEvent): void => {
      if (!persisted) return;
      dispatch(payLeft(id));
      dispatch(checkRequested(id));
    };
    addEventListener('pageshow', comeBack);
    return () => removeEventListener('pageshow', comeBack);
  }, [dispatch, id, isLeaving]);
  const pay = (): void => void dispatch(payRequested(id));
  return (
    <div className="space-y-3">
      {failure && <Alert>{failure.message}</Alert>}
      <Button size={size} busy={isLeaving ? 'Going to the payment page...' : undefined} disabled={isPaying || waits} onClick={pay}>
        Pay {moneyText(payment.amount)}
        <span className="sr-only"> for order {numberOf({ _id: id, orderNumber })}</span>
      </Button>
      {isLeaving && <SlowAnswer onRetry={pay} />}
    </div>
  );
};
