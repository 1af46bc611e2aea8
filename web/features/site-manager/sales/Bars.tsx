import { shortDayText } from '../../../lib/dates.ts';
import type { DayOfSales } from '../admin-types.ts';
import { ticksUpTo } from './scale.ts';

type BarsProps = {
  readonly days: readonly DayOfSales[];
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

/** A bar chart without interaction. The caller provides the text alternative. */
export const Bars = ({ days, of, width, height, left, at, tickText, tickCount, withDays = false }: BarsProps) => {
  const ticks = ticksUpTo(Math.max(...days.map((day) => day[of])), tickCount);
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
