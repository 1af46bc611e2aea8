import { shortDayText } from '../../../lib/dates.ts';
import type { DayOfSales } from '../answers.ts';
import { HEAD_CELL } from '../table-style.ts';
import { counted, moneyText } from '../words.ts';

const CELL = 'figures py-2.5 text-right text-[0.9375rem]';

/** The same as the chart, in words and figures; the newest day first. */
export const DailyTable = ({ days }: { readonly days: readonly DayOfSales[] }) => (
  <table className="w-full border-t border-ink/80">
    <thead>
      <tr className="border-b border-sandal">
        <th scope="col" className={HEAD_CELL}>
          Day
        </th>
        {['Orders', 'Sales'].map((title) => (
          <th key={title} scope="col" className={`${HEAD_CELL} pr-0! text-right!`}>
            {title}
          </th>
        ))}
      </tr>
    </thead>
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
