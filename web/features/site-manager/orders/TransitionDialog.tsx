import { useState } from 'react';
import { LONGEST_NOTE } from '#domain/order/fulfilment.ts';
import type { StaffStatus } from '#domain/order/status.ts';
import type { OrderView } from '#domain/order/view.ts';
import { messageOf } from '../../../lib/http/api.ts';
import { momentText } from '../../../lib/dates.ts';
import { Alert } from '../../../ui/Alert.tsx';
import { Badge } from '../../../ui/Badge.tsx';
import { Button } from '../../../ui/Button.tsx';
import { TextArea } from '../../../ui/form/Field.tsx';
import { Modal } from '../../../ui/overlay/Modal.tsx';
import { moveOrder } from '../admin-commands.ts';
import { useTell } from '../Notices.tsx';
import { officeApi } from '../admin-api.ts';
import { useOffice } from '../admin-store.ts';
import { moves } from './order-transitions.ts';
import { staleMoveIn, type StaleMove } from './stale-transition.ts';

type MoveDialogProps = { readonly order: OrderView; readonly to: StaffStatus; readonly onClose: () => void };

/** Asks before an order moves on, and takes the note that goes with it. */
export const MoveDialog = ({ order, to, onClose }: MoveDialogProps) => {
  const [note, setNote] = useState('');
  const { move, isMoving, failure } = useMove(order, to, onClose);
  const isStale = failure?.stale !== undefined;
  return (
    <Modal
      open
      isBusy={isMoving}
      onOpenChange={onClose}
      title={`${moves[to].action}: ${order.orderNumber}`}
      description={<p>{isStale ? 'Nothing was changed.' : `${moves[to].meaning} The shopper is told by e-mail.`}</p>}
      foot={
        isStale ? (
          <Button onClick={onClose}>Show the order as it is</Button>
        ) : (
          <>
            <Button kind="quiet" disabled={isMoving} onClick={onClose}>
              Back
            </Button>
            <Button busy={isMoving ? 'Saving...' : undefined} onClick={() => void move(note)}>
              {moves[to].action}
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

const AsItIs = ({ status, by, at }: StaleMove) => (
  <p className="mt-5 flex flex-wrap items-center gap-x-3 gap-y-2 text-[0.9375rem]">
    It is now <Badge status={status} />
    <span className="text-clove">
      {by}, {momentText(at)}
    </span>
  </p>
);

type Failure = { readonly message: string; readonly stale: StaleMove | undefined };

const useMove = ({ _id, orderNumber }: OrderView, to: StaffStatus, onMoved: () => void) => {
  const tell = useTell();
  const office = useOffice();
  const [isMoving, setMoving] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const move = async (note: string): Promise<void> => {
    setMoving(true);
    setFailure(undefined);
    try {
      await moveOrder(_id, to, note.trim());
      tell({ kind: 'success', message: `${orderNumber} is now ${to}` });
      onMoved();
    } catch (error) {
      setFailure({ message: messageOf(error, 'The order could not be moved'), stale: staleMoveIn(error) });
      setMoving(false);
    }
    // Also after a refusal: the page has shown less than is true.
    office(officeApi.util.invalidateTags(['Orders', 'Sales', 'Figures']));
  };
  return { move, isMoving, failure };
};
