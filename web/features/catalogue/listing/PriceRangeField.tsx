import { useState, type KeyboardEvent } from 'react';
import { parsePrice, rupees } from '#domain/shared/money.ts';
import { formatNumber, rupeesText } from '../../../lib/format.ts';
import { PRICE, priceRange, type PriceRange } from './shop-filters.ts';

type PriceRangeFieldProps = { readonly value: PriceRange; readonly onChange: (value: PriceRange) => void };

/** A slider with two thumbs in steps of 100 rupees, and inputs for exact prices. */
export const PriceRangeField = ({ value: { min, max }, onChange }: PriceRangeFieldProps) => (
  <>
    <div className="relative mt-6 h-6">
      <div className="absolute inset-x-3 top-1/2 h-px bg-teak">
        <div className="absolute -top-px h-[3px] bg-oxblood" style={{ left: along(min), right: along(PRICE.max - max) }} />
      </div>
      <Thumb label="Lowest price" value={min} text={rupeesText(min)} onChange={(price) => onChange({ min: Math.min(price, max), max })} />
      <Thumb
        label="Highest price"
        value={max}
        text={max === PRICE.max ? `${rupeesText(max)} and more` : rupeesText(max)}
        onChange={(price) => onChange({ min, max: Math.max(price, min) })}
      />
    </div>
    <div className="mt-6 grid grid-cols-[1fr_auto_1fr] items-end gap-3">
      <PriceBox label="From" value={min} onChange={(price) => onChange(priceRange(price, max))} />
      <span className="pb-2.5 text-clove">to</span>
      <PriceBox label="To" value={max} onChange={(price) => onChange(priceRange(min, price))} />
    </div>
  </>
);

const along = (price: number): string => `${(100 * price) / PRICE.max}%`;

type ThumbProps = {
  readonly label: string;
  readonly value: number;
  /** Screen readers read this text. */
  readonly text: string;
  readonly onChange: (price: number) => void;
};

const Thumb = ({ label, value, text, onChange }: ThumbProps) => (
  <input
    type="range"
    min={PRICE.min}
    max={PRICE.max}
    step={PRICE.step}
    value={value}
    aria-label={label}
    aria-valuetext={text}
    onChange={({ target }) => onChange(Number(target.value))}
    className="range-thumb"
  />
);

type PriceBoxProps = { readonly label: string; readonly value: number; readonly onChange: (price: number) => void };

/** Commits the price when the input is left or on Enter, because a half-typed number is not a price. */
const PriceBox = ({ label, value, onChange }: PriceBoxProps) => {
  const [typed, setTyped] = useState<string>();
  const commit = (): void => {
    if (typed !== undefined && /\d/.test(typed)) onChange(rupees(parsePrice(typed)));
    setTyped(undefined);
  };
  const onKeyDown = ({ key }: KeyboardEvent): void => {
    if (key === 'Enter') commit();
  };
  return (
    <label className="block text-[0.875rem] text-clove">
      {label}
      <span className="mt-1.5 flex h-11 items-center rounded-xs border border-teak bg-white px-3.5 text-ink hover:border-ink has-focus-visible:outline-2 has-focus-visible:outline-offset-3 has-focus-visible:outline-oxblood">
        <span className="text-clove">₹</span>
        <input
          inputMode="numeric"
          autoComplete="off"
          value={typed ?? formatNumber(value)}
          onChange={(event) => setTyped(event.target.value)}
          onBlur={commit}
          onKeyDown={onKeyDown}
          className="figures w-full min-w-0 bg-transparent pl-1.5 outline-none"
        />
      </span>
    </label>
  );
};
