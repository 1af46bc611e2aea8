import { useEffect } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { count } from '../../../lib/format.ts';
import { useUnloadWarning } from '../../../lib/use-unload-warning.ts';
import type { AdminStore } from '../admin-store.ts';
import { Count } from '../Count.tsx';
import { useNotify } from '../Notices.tsx';
import { useFilters } from '../use-panel.ts';
import { useNextCountsQuery } from '../admin-api.ts';
import type { AdminOrder } from '../admin-types.ts';
import { BatchProgress } from './batch/BatchProgress.tsx';
import { type Batch, batchStopped, countOutcomes, type Job, resultsSeen, runBatch } from './batch/batch-slice.ts';
import { isTyped, shipmentSheetSlice } from './batch/shipment-sheet.ts';
import { ShipTable } from './batch/ShipTable.tsx';
import { type Deed, deedWords } from './next-deed.ts';
import { ListNotice, NoticeButton, OrdersList } from './OrdersList.tsx';

const { ordersChosen, parcelsSent, sheetEmptied } = shipmentSheetSlice.actions;

/** What waits for staff. */
export const OrdersWaiting = () => {
  const { data } = useNextCountsQuery();
  return <Count count={data && data.confirm + data.pack + data.ship} of="to do" />;
};

/** Placed orders. `total` counts all of them, whatever the search. What runs for many of them, and its results, take the list's place. */
export const OrdersPanel = ({ total }: { readonly total: number | undefined }) => {
  const [valueOf, filter] = useFilters();
  const batch = useSelector(({ batch: running }: ReturnType<AdminStore['getState']>) => running);
  const dispatch = useDispatch<AdminStore['dispatch']>();
  const notify = useNotify();
  const toShip = useSelector(({ shipmentSheet }: ReturnType<AdminStore['getState']>) => shipmentSheet);
  const show = (screen: string) => filter({ batch: screen });
  /** Says what still runs, and returns whether anything does. */
  const refuseWhileRunning = (): boolean => {
    if (!batch?.isRunning) return false;
    const running = `${deedWords[batch.deed].doing} ${count(batch.rows.length, 'order')}`;
    notify({ kind: 'failure', message: `${running} still runs, so nothing else was begun. Begin this after it.` });
    return true;
  };
  const run = (deed: Deed, jobs: readonly Job[]): void => {
    if (refuseWhileRunning()) return;
    void dispatch(runBatch(deed, jobs));
    show('run');
  };
  const begin = (deed: Deed, orders: readonly AdminOrder[]): void => {
    if (deed !== 'ship')
      return run(
        deed,
        orders.map((order) => ({ order })),
      );
    if (refuseWhileRunning()) return;
    dispatch(ordersChosen(orders));
    show('ship');
  };
  const ship = (jobs: readonly Job[]): void => {
    run('ship', jobs);
    if (!batch?.isRunning) dispatch(parcelsSent());
  };
  const goOn = (deed: Deed, { rows }: Batch): void =>
    begin(
      deed,
      rows.flatMap(({ order, outcome }) => (outcome.state === 'done' ? [order] : [])),
    );
  const isShown = valueOf('batch') === 'run' && batch !== null;
  const isUnseen = batch !== null && !batch.isRunning && !batch.isSeen;
  useEffect(() => {
    if (isShown && isUnseen) dispatch(resultsSeen());
  }, [isShown, isUnseen, dispatch]);

  const isSheetTyped = isTyped(toShip);
  useUnloadWarning(isSheetTyped);

  if (valueOf('batch') === 'ship' && toShip.orders.length > 0) return <ShipTable onBack={() => show('')} onShip={ship} />;
  if (isShown)
    return (
      <BatchProgress
        batch={batch}
        onStop={() => dispatch(batchStopped())}
        onBack={() => show('')}
        onOpen={(order) => filter({ batch: '', order })}
        onNext={(deed) => goOn(deed, batch)}
        onAgain={() =>
          run(
            batch.deed,
            batch.rows.filter(({ outcome }) => outcome.state !== 'done'),
          )
        }
      />
    );
  return (
    <OrdersList total={total} onDeed={begin}>
      {batch && (batch.isRunning || isUnseen) && <BatchNotice batch={batch} />}
      {isSheetTyped && (
        <ListNotice text={`${count(toShip.orders.length, 'order')} to ship: what you typed is kept.`} onShow={() => show('ship')}>
          <NoticeButton onClick={() => dispatch(sheetEmptied())}>Discard</NoticeButton>
        </ListNotice>
      )}
    </OrdersList>
  );
};

/** Leads to a batch that runs, or whose results nobody has seen. */
const BatchNotice = ({ batch }: { readonly batch: Batch }) => {
  const { done, failed, stopped, of } = countOutcomes(batch);
  const [, filter] = useFilters();
  const { doing, failed: notDone } = deedWords[batch.deed];
  const parts = [
    `${done} of ${of} done`,
    ...(failed > 0 ? [`${failed} ${notDone}`] : []),
    ...(stopped > 0 ? [`${stopped} not begun`] : []),
  ];
  return <ListNotice text={`${doing}: ${parts.join(', ')}.`} onShow={() => filter({ batch: 'run' })} />;
};
