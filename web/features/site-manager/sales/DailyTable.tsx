import { shortDayText } from '../../../lib/dates.ts';
import { moneyText } from '../../../lib/money.ts';
import { counted } from '../../../lib/numbers.ts';
import type { DayOfSales } from '../admin-types.ts';
import { TableHead } from '../TableHead.tsx';

const CELL = 'figures py-2.5 text-right text-[0.9375rem]';

const columns = ['Day', ...['Orders', 'Sales'].map((title) => ({ title, className: 'pr-0! text-right!' }))];

/** The same as the chart, in words and figures; the newest day first. */
export const DailyTable = ({ days }: { readonly days: readonly DayOfSales[] }) => (
  <table className="w-full border-t border-ink/80">
    <TableHead columns={columns} />
    <tbody>
      {days.toReversed().map(({ day, orders, sales }) => (
        <tr key={day} className="border-b border-sandal/70">
          <th scope="row" className="py-2.5 text-left text-[0.9375rem] font-normal">
            {shortDayText(day)} <span className="text-clove">{day.slice(0, 4)}</span>
          </th>
          <td className={CELL}>{counted(orders)}</td>
          <td className={CELL}>{moneyText(sales)}</td>
        </tr>
      ))}
    </tbody>
  </table>
);
