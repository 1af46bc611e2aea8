import type { ReactNode } from 'react';
import { formatNumber, moneyText } from '../../lib/format.ts';
import { cx } from '../../ui/cx.ts';
import { Money } from '../../ui/Money.tsx';
import type { Stats } from './admin-types.ts';
import { DownloadCsv } from './DownloadCsv.tsx';
import type { Panel } from './use-panel.ts';

type Card = {
  readonly panel: Panel;
  readonly title: string;
  readonly figure: (stats: Stats) => ReactNode;
  readonly foot: (stats: Stats | undefined) => ReactNode;
};

const caption = (text: string) => <p className="figures text-[0.8125rem] text-clove">{text}</p>;

const cards: readonly Card[] = [
  {
    panel: 'orders',
    title: 'Total Orders',
    figure: ({ totalOrders }) => formatNumber(totalOrders),
    foot: (stats) => stats && caption(`${formatNumber(stats.lastWeekOrders)} last week`),
  },
  {
    panel: 'products',
    title: 'Total Products',
    figure: ({ totalProducts }) => formatNumber(totalProducts),
    foot: () => caption('in the shop'),
  },
  {
    panel: 'subscribers',
    title: 'Subscribers',
    figure: ({ totalSubscribers }) => formatNumber(totalSubscribers),
    foot: () => caption('↑ 12% from last month'),
  },
  {
    panel: 'sales',
    title: 'Total Sales',
    figure: ({ totalSales }) => <Money amount={moneyText(totalSales)} />,
    foot: (stats) => stats && caption(`${moneyText(stats.lastMonthSales)} last month`),
  },
  {
    panel: 'messages',
    title: 'Contact Us Messages',
    figure: ({ contactMessages }) => formatNumber(contactMessages),
    foot: (stats) => <DownloadCsv name="contact_messages" count={stats?.contactMessages} look="small" />,
  },
];

type SummaryCardsProps = { readonly stats: Stats | undefined; readonly panel: Panel; readonly onChoose: (panel: Panel) => void };

/** The shop's figures, each a button that opens its panel. They are not tabs, because one of them contains a link. */
export const SummaryCards = ({ stats, panel, onChoose }: SummaryCardsProps) => (
  <div
    role="group"
    aria-label="Panels"
    className="grid gap-px overflow-hidden rounded-sm border border-sandal bg-sandal lg:grid-cols-[1fr_1fr_1fr_1.3fr_1.15fr]"
  >
    {cards.map((card) => (
      <SummaryCard key={card.panel} card={card} stats={stats} chosen={card.panel === panel} onChoose={() => onChoose(card.panel)} />
    ))}
  </div>
);

type SummaryCardProps = { readonly card: Card; readonly stats: Stats | undefined; readonly chosen: boolean; readonly onChoose: () => void };

const SummaryCard = ({ card, stats, chosen, onChoose }: SummaryCardProps) => (
  <div
    className={cx(
      'relative grid grid-cols-[1fr_auto] items-center gap-x-4 px-4 py-3 lg:flex lg:min-h-36 lg:flex-col lg:items-start lg:p-5',
      chosen ? 'bg-white' : 'bg-ivory hover:bg-paper',
    )}
  >
    {chosen && (
      <span aria-hidden="true" className="absolute inset-y-0 left-0 w-[3px] bg-oxblood lg:inset-x-0 lg:bottom-auto lg:h-[3px] lg:w-auto" />
    )}
    <button
      type="button"
      aria-pressed={chosen}
      onClick={onChoose}
      className={cx(
        'text-left text-[0.9375rem] after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-oxblood',
        chosen ? 'font-medium text-oxblood' : 'text-clove',
      )}
    >
      {card.title}
    </button>
    <p className="display figures row-span-2 text-[1.75rem] leading-none lg:mt-auto lg:text-[2.375rem]">
      {stats ? card.figure(stats) : <span className="skeleton inline-block h-[0.8em] w-16 align-middle" aria-hidden="true" />}
    </p>
    <div className="flex h-5 items-center lg:mt-2">{card.foot(stats)}</div>
  </div>
);
