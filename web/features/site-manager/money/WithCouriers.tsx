import { AlarmClock } from 'lucide-react';
import { type ComponentType, Fragment, useState } from 'react';
import type { OrderId, OrderNumber } from '#domain/shared/ids.ts';
import { dateInIndia } from '#domain/shared/time.ts';
import { shortDayText } from '../../../lib/dates.ts';
import { count, moneyText } from '../../../lib/format.ts';
import { useMedia } from '../../../lib/use-media.ts';
import { Button } from '../../../ui/Button.tsx';
import { cx } from '../../../ui/cx.ts';
import type { MoneyRow, PaymentSums } from '../admin-types.ts';
import { TableHead } from '../TableHead.tsx';
import { OrderLink } from './Payments.tsx';

/** Cash that was not brought so many days after delivery is late. */
const LATE_AFTER_DAYS = 10;
const DAY_MS = 24 * 3_600_000;

type Courier = PaymentSums['with_couriers']['couriers'][number];
type Parcel = NonNullable<MoneyRow['parcel']>;
type Group = { readonly key: string; readonly name: string; readonly sum: Courier | undefined; readonly rows: readonly MoneyRow[] };

const keyOf = (courier: string): string => courier.trim().toLowerCase();

/** Groups the loaded rows by their courier, the one who owes most first. The sums are those of all rows. */
const groupRows = (rows: readonly MoneyRow[], couriers: readonly Courier[]): readonly Group[] => {
  const keyOfRow = ({ parcel }: MoneyRow): string => keyOf(parcel?.courier ?? '');
  const known = new Map(couriers.map((sum) => [keyOf(sum.courier), sum]));
  return [...new Set([...known.keys(), ...rows.map(keyOfRow)])].flatMap((key) => {
    const own = rows.filter((row) => keyOfRow(row) === key);
    const sum = known.get(key);
    const name = sum?.courier ?? own[0]?.parcel?.courier.trim() ?? '';
    return own.length === 0 ? [] : [{ key, name: name || 'No courier named', sum, rows: own }];
  });
};

const parcelText = ({ deliveredAt }: Parcel): string =>
  deliveredAt === null ? 'On its way' : `Delivered ${shortDayText(dateInIndia(deliveredAt))}`;
const daysSince = ({ deliveredAt }: Parcel): number | undefined =>
  deliveredAt === null ? undefined : Math.max(0, Math.floor((Date.now() - Date.parse(deliveredAt)) / DAY_MS));

/** Books the cash of an order, passed in because the orders know this folder. */
export type CashSlot = ComponentType<{
  readonly order: { readonly _id: OrderId; readonly orderNumber: OrderNumber | null; readonly payment: { readonly amount: number } };
  readonly onClose: () => void;
}>;

type WithCouriersProps = { readonly rows: readonly MoneyRow[]; readonly couriers: readonly Courier[]; readonly CashDialog: CashSlot };

/** The cash of parcels that left, by the courier who owes it. */
export const WithCouriers = ({ rows, couriers, CashDialog }: WithCouriersProps) => {
  const [arrived, setArrived] = useState<MoneyRow>();
  const isWide = useMedia('(min-width: 64rem)');
  const groups = groupRows(rows, couriers);
  const Shown = isWide ? CouriersTable : CouriersRows;
  return (
    <>
      <Shown groups={groups} onArrived={setArrived} />
      {arrived?.orderId && (
        <CashDialog
          order={{ _id: arrived.orderId, orderNumber: arrived.orderNumber, payment: arrived }}
          onClose={() => setArrived(undefined)}
        />
      )}
    </>
  );
};

type GroupsProps = { readonly groups: readonly Group[]; readonly onArrived: (row: MoneyRow) => void };

const columns = [
  { title: 'Order', className: 'pl-3' },
  'Customer',
  'Parcel',
  'Since delivery',
  { title: 'Owes', className: 'text-right!' },
  { title: 'Next', className: 'w-44 pl-6!' },
];

const CouriersTable = ({ groups, onArrived }: GroupsProps) => (
  <table className="mt-2 w-full border-t border-ink/80 text-[0.875rem]">
    <TableHead columns={columns} />
    {groups.map(({ key, name, sum, rows }) => (
      <tbody key={key}>
        <tr className="border-b border-sandal/70 bg-paper">
          <th scope="rowgroup" colSpan={4} className="py-2 pl-3 text-left font-medium wrap-anywhere">
            {name}
            {sum && <span className="figures ml-3 font-normal text-clove">{count(sum.count, 'order')}</span>}
          </th>
          <td className="figures pr-6 text-right font-semibold">{sum && moneyText(sum.amount)}</td>
          <td>{null}</td>
        </tr>
        {rows.map((row) => (
          <tr key={row._id} data-row={row._id} className="h-11 border-b border-sandal/70 hover:bg-white">
            <td className="pl-3">
              <OrderLink {...row} />
            </td>
            {row.parcel && (
              <>
                <td className="pr-6 wrap-anywhere">{row.parcel.to}</td>
                <td className="figures pr-6 text-clove">{parcelText(row.parcel)}</td>
                <td>
                  <Age days={daysSince(row.parcel)} />
                </td>
              </>
            )}
            <td className="figures pr-6 text-right">{moneyText(row.amount)}</td>
            <td className="pl-6">
              {row.parcel?.deliveredAt && (
                <button
                  type="button"
                  aria-label={`Cash arrived of ${row.orderNumber}`}
                  onClick={() => onArrived(row)}
                  className="inline-flex min-h-9 items-center font-medium whitespace-nowrap text-oxblood hover:text-garnet"
                >
                  <span className="link">Cash arrived</span>
                </button>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    ))}
  </table>
);

const CouriersRows = ({ groups, onArrived }: GroupsProps) => (
  <div className="mt-2">
    {groups.map(({ key, name, sum, rows }) => (
      <Fragment key={key}>
        <div className="-mx-gutter flex items-baseline justify-between gap-3 border-t border-ink/80 bg-paper px-gutter py-2.5">
          <p className="font-medium wrap-anywhere">
            {name}
            {sum && <span className="figures ml-2 text-[0.8125rem] font-normal text-clove">{count(sum.count, 'order')}</span>}
          </p>
          <p className="figures font-semibold">{sum && moneyText(sum.amount)}</p>
        </div>
        <ul>
          {rows.map((row) => (
            <li key={row._id} data-row={row._id} className="flex items-center gap-3 border-b border-sandal/70 py-2.5">
              <div className="min-w-0 flex-1">
                <div className="flex items-baseline justify-between gap-3">
                  <OrderLink {...row} />
                  <span className="figures">{moneyText(row.amount)}</span>
                </div>
                {row.parcel && (
                  <>
                    <p className="truncate text-[0.875rem]">{row.parcel.to}</p>
                    <p className="figures flex gap-x-3 text-[0.8125rem] text-clove">
                      {parcelText(row.parcel)} <Age days={daysSince(row.parcel)} />
                    </p>
                  </>
                )}
              </div>
              {row.parcel?.deliveredAt && (
                <Button kind="outline" aria-label={`Cash arrived of ${row.orderNumber}`} className="px-4" onClick={() => onArrived(row)}>
                  Arrived
                </Button>
              )}
            </li>
          ))}
        </ul>
      </Fragment>
    ))}
  </div>
);

const Age = ({ days }: { readonly days: number | undefined }) => {
  if (days === undefined) return null;
  const isLate = days > LATE_AFTER_DAYS;
  return (
    <span className={cx('figures inline-flex items-center gap-1.5', isLate ? 'text-sindoor' : 'text-clove')}>
      {isLate && <AlarmClock className="size-3.5" strokeWidth={2} />}
      <span>{count(days, 'day')}</span>
    </span>
  );
};
