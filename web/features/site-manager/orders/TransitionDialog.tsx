import { useState } from 'react';
import { LONGEST_NOTE } from '#domain/order/fulfilment.ts';
import { type OrderStatus, orderStatuses, type StaffStatus } from '#domain/order/rules.ts';
import type { OrderView } from '#domain/order/view.ts';
import { instant, type Instant } from '#domain/shared/time.ts';
import { momentText } from '../../../lib/dates.ts';
import { messageOf, refusalOf } from '../../../lib/http/api.ts';
import { Alert } from '../../../ui/Alert.tsx';
import { Badge } from '../../../ui/Badge.tsx';
import { Button } from '../../../ui/Button.tsx';
import { TextArea } from '../../../ui/form/Field.tsx';
import { Modal } from '../../../ui/overlay/Modal.tsx';
import { useNotify } from '../Notices.tsx';
import { adminApi } from '../admin-api.ts';
import { moveOrder } from '../admin-commands.ts';
import { useAdminDispatch } from '../admin-store.ts';
import { transitions } from './order-transitions.ts';

/** For a refused change: the order's status now, and who changed it when. */
type StaleTransition = { readonly status: OrderStatus; readonly by: string; readonly at: Instant };

const textAt = (value: unknown, key: string): string | undefined => {
  if (typeof value !== 'object' || value === null) return undefined;
  const found: unknown = Object.entries(value).find(([name]) => name === key)?.[1];
  return typeof found === 'string' ? found : undefined;
};

/** Undefined when the refusal had another reason. */
const staleTransitionIn = (error: unknown): StaleTransition | undefined => {
  const { code, current, changedBy } = refusalOf(error);
  const status = orderStatuses.find((each) => each === textAt(current, 'status'));
  const [by, at] = [textAt(changedBy, 'name'), textAt(changedBy, 'at')];
  if (code !== 'illegal_transition' || !status || by === undefined || at === undefined) return undefined;
  return { status, by, at: instant(at) };
};

type TransitionDialogProps = { readonly order: OrderView; readonly to: StaffStatus; readonly onClose: () => void };

/** Confirms a change of status and takes a note. */
export const TransitionDialog = ({ order, to, onClose }: TransitionDialogProps) => {
  const [note, setNote] = useState('');
  const { move, isMoving, failure } = useOrderTransition(order, to, onClose);
  const isStale = failure?.stale !== undefined;
  return (
    <Modal
      open
      isBusy={isMoving}
      onOpenChange={onClose}
      title={`${transitions[to].action}: ${order.orderNumber}`}
      description={
        <p>
          {isStale ? 'Nothing was changed.' : transitions[to].meaning + (transitions[to].mailed ? ' The shopper is told by e-mail.' : '')}
        </p>
      }
      foot={
        isStale ? (
          <Button onClick={onClose}>Show the order as it is</Button>
        ) : (
          <>
            <Button kind="quiet" disabled={isMoving} onClick={onClose}>
              Back
            </Button>
            <Button busy={isMoving ? 'Saving...' : undefined} onClick={() => void move(note)}>
              {transitions[to].action}
            </Button>
          </>
        )
      }
    >
      {failure && <Alert className="mt-5">{failure.message}</Alert>}
      {failure?.stale && <AsItIs {...failure.stale} />}
      {!isStale && (
        <TextArea
          label="Note"
          optional
          rows={3}
          maxLength={LONGEST_NOTE}
          hint="Stands in the order’s history, for the shopper too."
          className="mt-5"
          value={note}
          onChange={({ target }) => setNote(target.value)}
        />
      )}
    </Modal>
  );
};

const AsItIs = ({ status, by, at }: StaleTransition) => (
  <p className="mt-5 flex flex-wrap items-center gap-x-3 gap-y-2 text-[0.9375rem]">
    It is now <Badge status={status} />
    <span className="text-clove">
      {by}, {momentText(at)}
    </span>
  </p>
);

type Failure = { readonly message: string; readonly stale: StaleTransition | undefined };

const useOrderTransition = ({ _id, orderNumber }: OrderView, to: StaffStatus, onMoved: () => void) => {
  const notify = useNotify();
  const dispatch = useAdminDispatch();
  const [isMoving, setMoving] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const move = async (note: string): Promise<void> => {
    setMoving(true);
    setFailure(undefined);
    try {
      await moveOrder(_id, to, note.trim());
      notify({ kind: 'success', message: `${orderNumber} is now ${to}` });
      onMoved();
    } catch (error) {
      setFailure({ message: messageOf(error, 'The order could not be moved'), stale: staleTransitionIn(error) });
      setMoving(false);
    }
    // Also after a refusal, since the page was outdated.
    dispatch(adminApi.util.invalidateTags(['Orders', 'Sales', 'Figures']));
  };
  return { move, isMoving, failure };
};
