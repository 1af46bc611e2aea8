import { useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { getMessage } from '../../../lib/http/api.ts';
import { count } from '../../../lib/format.ts';
import { useUnloadWarning } from '../../../lib/use-unload-warning.ts';
import type { AdminStore } from '../admin-store.ts';
import type { StockedProduct } from '../admin-types.ts';
import { useNotify } from '../Notices.tsx';
import {
  faultsOf,
  findFault,
  isTouched,
  type StockDifference,
  type StockEdit,
  stocktakeSlice,
  toCountsFile,
  toDifference,
} from './stocktake.ts';
import { useChangeStockMutation, useSendCountsMutation } from './stock-api.ts';

const { countTyped, faultsFound, countsBooked, countsDiscarded } = stocktakeSlice.actions;

/** Numbers typed into the table, looked at together and booked as one stocktake. A fault stays in its row and holds back no other. */
export const useStocktake = (onChanged: () => void) => {
  const notify = useNotify();
  const { edits, found } = useSelector(({ stocktake }: ReturnType<AdminStore['getState']>) => stocktake);
  const dispatch = useDispatch<AdminStore['dispatch']>();
  const [differences, setDifferences] = useState<readonly StockDifference[]>();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [sendCounts] = useSendCountsMutation();
  const [changeStock] = useChangeStockMutation();

  const touched = Object.values(edits).filter((edit): edit is StockEdit => edit !== undefined && isTouched(edit));
  const faultOf = (edit: StockEdit): string | undefined => findFault(edit) ?? found[edit.product._id];
  const faulty = touched.filter((edit) => faultOf(edit) !== undefined);

  useUnloadWarning(touched.length > 0);

  const type = (product: StockedProduct, changes: Pick<StockEdit, 'count' | 'lowAt'>): void =>
    void dispatch(countTyped({ ...changes, product }));
  /** Returns the refusal, if there is one. */
  const send = async (of: readonly StockDifference[], dryRun: boolean) => {
    if (of.every((each) => each.count === undefined)) return undefined;
    return (await sendCounts({ file: toCountsFile(of), dryRun, onProgress: () => undefined })).error;
  };

  /** Asks the shop what would change. Rows that it refuses are marked, and the others are shown. */
  const look = async (): Promise<void> => {
    const wanted = touched.filter((edit) => faultOf(edit) === undefined).map(toDifference);
    setBusy(true);
    setProblem(undefined);
    const error = await send(wanted, true);
    setBusy(false);
    const faults = faultsOf((error && 'errors' in error && error.errors) || {}, wanted);
    if (error && Object.keys(faults).length === 0) return notify({ kind: 'failure', message: getMessage(error), stays: true });
    dispatch(faultsFound(faults));
    const good = wanted.filter(({ product }) => faults[product._id] === undefined);
    if (good.length > 0) setDifferences(good);
  };

  const book = async (): Promise<void> => {
    if (!differences) return;
    setBusy(true);
    setProblem(undefined);
    const error = await send(differences, false);
    const marks = error ? [] : differences.filter(({ lowAt }) => lowAt !== undefined);
    const failed: string[] = [];
    for (const { product, lowAt = null } of marks) {
      const { error: refused } = await changeStock({ id: product._id, command: { lowAt } });
      if (refused) failed.push(`${product.name}: ${getMessage(refused)}`);
    }
    onChanged();
    setBusy(false);
    if (error) return setProblem(getMessage(error));
    // The counts are never booked again: bottles may have been sold since.
    if (failed.length > 0) notify({ kind: 'failure', message: `Booked, but not these low marks. ${failed.join(' ')}`, stays: true });
    else notify({ kind: 'success', message: `${count(differences.length, 'product')} booked` });
    dispatch(countsBooked(differences.map(({ product }) => product._id)));
    setDifferences(undefined);
  };

  return {
    edits,
    type,
    faultOf,
    touched: touched.length,
    faulty,
    differences,
    isBusy,
    problem,
    look,
    book,
    back: () => setDifferences(undefined),
    discard: () => void dispatch(countsDiscarded()),
  };
};

export type Stocktake = ReturnType<typeof useStocktake>;
