import { useEffect } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import type { OrderView } from '#domain/order/view.ts';
import { moneyText } from '../../../lib/format.ts';
import { Alert } from '../../../ui/feedback/Alert.tsx';
import { Button } from '../../../ui/Button.tsx';
import { SlowAnswer } from '../../../ui/feedback/SlowAnswer.tsx';
import { formatOrderNumber } from '../order-paths.ts';
import { checkRequested, findFailure, isPending, payLeft, payRequested, selectOrder } from '../order-slice.ts';

type PayOrderProps = {
  readonly order: OrderView;
  readonly size?: 'md' | 'lg';
  /** The button is disabled while the payment is being checked, so that nobody pays twice. */
  readonly waits?: boolean;
};

export const PayOrder = ({ order: { _id: id, orderNumber, payment }, size = 'md', waits = false }: PayOrderProps) => {
  const dispatch = useDispatch();
  const state = useSelector(selectOrder);
  const isPaying = isPending(state, 'pay');
  const isOwn = state.paying === id;
  const isLeaving = isPaying && isOwn;
  const failure = isOwn ? findFailure(state, 'pay') : null;
  useEffect(() => () => void dispatch(payLeft(id)), [dispatch, id]);
  useEffect(() => {
    if (!isLeaving) return undefined;
    // The shopper returned from the gateway to a page in the browser's back-forward cache.
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
        <span className="sr-only"> for order {formatOrderNumber({ _id: id, orderNumber })}</span>
      </Button>
      {isLeaving && <SlowAnswer onRetry={pay} />}
    </div>
  );
};
