import type { ReactNode } from 'react';
import { formatNumber, moneyText } from '../../lib/format.ts';
import { cx } from '../../ui/cx.ts';
import { Money } from '../../ui/Money.tsx';
import type { Stats } from './admin-types.ts';
import { DownloadCsv } from './DownloadCsv.tsx';
import { usePanels } from './panels.tsx';
import { useMay } from './use-may.ts';

type Card = {
  readonly panel: string;
  readonly title: string;
  readonly figure: (stats: Stats) => ReactNode;
  readonly foot: (stats: Stats | undefined) => ReactNode;
};

const caption = (text: string) => <p>{text}</p>;

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
    foot: (stats) => <MessagesCsv count={stats?.contactMessages} />,
  },
];

/** Without a right to the messages only their number is shown. */
const MessagesCsv = ({ count }: { readonly count: number | undefined }) =>
  useMay()('customers') && <DownloadCsv name="contact_messages" count={count} look="small" />;

type SummaryCardsProps = { readonly stats: Stats | undefined; readonly panel: string; readonly onChoose: (panel: string) => void };

/** The shop's figures in one row, each a button that opens its panel, if the member has it. They are not tabs, because one of them contains a link. On phones the row scrolls. */
export const SummaryCards = ({ stats, panel, onChoose }: SummaryCardsProps) => {
  const panels = usePanels();
  return (
    <div
      role="group"
      aria-label="Figures"
      className="no-bar -mx-gutter flex gap-2 overflow-x-auto px-gutter lg:mx-0 lg:grid lg:grid-cols-[1fr_1fr_1.3fr_1.75fr_1.3fr] lg:gap-px lg:overflow-hidden lg:rounded-sm lg:border lg:border-sandal lg:bg-sandal lg:px-0"
    >
      {cards.map((card) => (
        <SummaryCard
          key={card.panel}
          card={card}
          stats={stats}
          chosen={card.panel === panel}
          onChoose={panels.some(({ id }) => id === card.panel) ? () => onChoose(card.panel) : undefined}
        />
      ))}
    </div>
  );
};

type SummaryCardProps = {
  readonly card: Card;
  readonly stats: Stats | undefined;
  readonly chosen: boolean;
  readonly onChoose: (() => void) | undefined;
};

const SummaryCard = ({ card, stats, chosen, onChoose }: SummaryCardProps) => (
  <div
    className={cx(
      'relative shrink-0 rounded-sm border border-sandal px-4 py-2.5 max-lg:min-w-44 lg:rounded-none lg:border-0',
      chosen ? 'bg-white' : onChoose ? 'bg-ivory hover:bg-paper' : 'bg-ivory',
    )}
  >
    {chosen && <span aria-hidden="true" className="absolute inset-x-0 top-0 h-[3px] bg-oxblood max-lg:rounded-t-sm" />}
    {onChoose ? (
      <button
        type="button"
        aria-pressed={chosen}
        onClick={onChoose}
        className={cx(
          'block min-h-6 text-left text-[0.8125rem] leading-snug after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-oxblood',
          chosen ? 'font-medium text-oxblood' : 'text-clove',
        )}
      >
        {card.title}
      </button>
    ) : (
      <p className="min-h-6 text-[0.8125rem] leading-snug text-clove">{card.title}</p>
    )}
    <div className="mt-0.5 flex items-baseline gap-x-3 whitespace-nowrap lg:max-xl:flex-col lg:max-xl:gap-y-1">
      <p className="display figures text-[1.625rem] leading-none">
        {stats ? card.figure(stats) : <span className="skeleton inline-block h-[0.8em] w-16 align-middle" aria-hidden="true" />}
      </p>
      <div className="figures min-h-[1.2em] text-xs text-clove">{card.foot(stats)}</div>
    </div>
  </div>
);
