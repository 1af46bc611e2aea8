import { type KeyboardEvent, type PointerEvent, useLayoutEffect, useRef, useState } from 'react';
import { shortDayText } from '../../../lib/dates.ts';
import { count, formatNumber, moneyText } from '../../../lib/format.ts';
import type { DayOfSales } from '../admin-types.ts';
import { axisText, ticksUpTo } from './scale.ts';

type DailyChartProps = {
  /** There is at least one day; the oldest comes first. */
  readonly days: readonly DayOfSales[];
  /** As many days before. */
  readonly before: readonly DayOfSales[];
};

/** The axis labels need this many px. */
const LEFT = 52;
const MARK_WIDTH = 168;

const ordersText = (orders: number): string => count(orders, 'order');

/** Returns the index of the day with the highest sales; of several, the latest. */
const findBest = (days: readonly DayOfSales[]): number =>
  days.reduce((best, { sales }, at) => (sales >= (days[best]?.sales ?? 0) ? at : best), 0);

const steps: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowLeft: (at) => at - 1,
  ArrowDown: (at) => at - 1,
  ArrowRight: (at) => at + 1,
  ArrowUp: (at) => at + 1,
  PageDown: (at) => at - 7,
  PageUp: (at) => at + 7,
  Home: () => 0,
  End: (_, last) => last,
};

/** Sales and orders per day as two bar charts. Pointer and arrow keys select a day. */
export const DailyChart = ({ days, before }: DailyChartProps) => {
  const { element, width } = useWidth<HTMLDivElement>(720);
  const [chosen, choose] = useState<number>();
  const last = days.length - 1;
  const at = Math.min(chosen ?? findBest(days), last);
  const day = days[at];
  const past = before[at];
  if (!day) return null;

  const within = (index: number) => choose(Math.max(0, Math.min(last, index)));
  const chooseByKey = (event: KeyboardEvent) => {
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    within(step(at, last));
  };
  const chooseByPointer = ({ currentTarget, clientX }: PointerEvent) => {
    const { left } = currentTarget.getBoundingClientRect();
    within(Math.floor(((clientX - left - LEFT) / (width - LEFT)) * days.length));
  };

  return (
    <div
      ref={element}
      role="slider"
      tabIndex={0}
      aria-label="Daily sales and orders, day by day"
      aria-valuemin={0}
      aria-valuemax={last}
      aria-valuenow={at}
      aria-valuetext={[
        `${shortDayText(day.day)}: ${moneyText(day.sales)}, ${ordersText(day.orders)}`,
        ...(past ? [`${moneyText(past.sales)} on ${shortDayText(past.day)}`] : []),
      ].join(', ')}
      onKeyDown={chooseByKey}
      onPointerMove={chooseByPointer}
      onPointerDown={chooseByPointer}
      className="relative touch-pan-y"
    >
      <Mark day={day} left={markLeft(at, days.length, width)} />
      <Bars days={days} before={before} of="sales" width={width} height={280} left={LEFT} at={at} tickText={axisText} />
      <p className="mt-5 mb-1 text-[0.8125rem] text-clove">Orders</p>
      <Bars
        days={days}
        before={before}
        of="orders"
        width={width}
        height={96}
        left={LEFT}
        at={at}
        tickText={formatNumber}
        tickCount={2}
        withDays
      />
    </div>
  );
};

/** Returns the left edge of the mark, centred over its bar but kept within the chart. */
const markLeft = (at: number, count: number, width: number): number => {
  const middle = LEFT + ((at + 0.5) / count) * (width - LEFT);
  return Math.max(0, Math.min(width - MARK_WIDTH, middle - MARK_WIDTH / 2));
};

const Mark = ({ day: { day, orders, sales }, left }: { readonly day: DayOfSales; readonly left: number }) => (
  <p
    className="figures mb-2 rounded-xs bg-ink px-3 py-2 text-center text-xs leading-tight text-mist"
    style={{ width: MARK_WIDTH, marginLeft: left }}
  >
    {shortDayText(day)} · {ordersText(orders)}
    <span className="mt-0.5 block text-[0.875rem] font-semibold text-ivory">{moneyText(sales)}</span>
  </p>
);

/** Returns an element's width in px, measured before the first paint, or `assumed` where there is no layout. */
const useWidth = <Of extends HTMLElement>(assumed: number) => {
  const element = useRef<Of>(null);
  const [width, setWidth] = useState(assumed);
  useLayoutEffect(() => {
    const learn = (measured = 0): void => {
      if (measured > 0) setWidth(Math.round(measured));
    };
    const observer = new ResizeObserver((entries) => learn(entries.at(-1)?.contentRect.width));
    if (element.current) {
      learn(element.current.clientWidth);
      observer.observe(element.current);
    }
    return () => observer.disconnect();
  }, []);
  return { element, width };
};

type BarsProps = {
  readonly days: readonly DayOfSales[];
  readonly before: readonly DayOfSales[];
  readonly of: 'sales' | 'orders';
  /** In px. */
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly at: number;
  readonly tickText: (value: number) => string;
  readonly tickCount?: number;
  readonly withDays?: boolean;
};

const TOP = 8;
/** The space below the bars in px: half the height of an axis label, or the day labels. */
const FOOT = 6;
const DAYS_FOOT = 26;
/** A day label needs this many px. */
const DAY_WIDTH = 64;
const FILLED = 0.64;
/** The rules of more days are thinner. */
const MOST_THICK_RULES = 90;

/** A bar chart without interaction: bars are the days, short rules those before. The caller provides the text alternative. */
const Bars = ({ days, before, of, width, height, left, at, tickText, tickCount, withDays = false }: BarsProps) => {
  const ticks = ticksUpTo(Math.max(...[...days, ...before].map((day) => day[of])), tickCount);
  const top = ticks.at(-1) ?? 1;
  const foot = height - (withDays ? DAYS_FOOT : FOOT);
  const scaleY = (value: number) => foot - (value / top) * (foot - TOP);
  const pitch = (width - left) / days.length;
  const every = Math.max(1, Math.ceil(DAY_WIDTH / pitch));
  return (
    <svg width={width} height={height} className="block max-w-full" aria-hidden="true">
      {ticks.map((value) => (
        <g key={value}>
          <line
            x1={left}
            x2={width}
            y1={scaleY(value)}
            y2={scaleY(value)}
            stroke={value === 0 ? 'var(--color-ink)' : 'var(--color-sandal)'}
            strokeWidth={value === 0 ? 1 : 0.7}
          />
          <text x={left - 10} y={scaleY(value) + 4} textAnchor="end" fontSize="12" fill="var(--color-clove)" className="figures">
            {tickText(value)}
          </text>
        </g>
      ))}
      {days.map((day, index) => (
        <rect
          key={day.day}
          x={left + pitch * (index + (1 - FILLED) / 2)}
          y={scaleY(day[of])}
          width={pitch * FILLED}
          height={foot - scaleY(day[of])}
          fill={index === at ? 'var(--color-oxblood)' : 'var(--color-gold)'}
        />
      ))}
      {before.slice(0, days.length).map((day, index) => (
        <rect
          key={day.day}
          x={left + pitch * (index + 0.08)}
          y={scaleY(day[of]) - 1}
          width={pitch * 0.84}
          height={days.length > MOST_THICK_RULES ? 1 : 2}
          fill="var(--color-ink)"
        />
      ))}
      {withDays &&
        days.map(
          ({ day }, index) =>
            index % every === 0 &&
            index * pitch < width - left - DAY_WIDTH / 2 && (
              <text key={day} x={left + pitch * (index + 0.5)} y={height - 6} textAnchor="middle" fontSize="12" fill="var(--color-clove)">
                {shortDayText(day)}
              </text>
            ),
        )}
    </svg>
  );
};
