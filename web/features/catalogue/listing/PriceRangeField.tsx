import { Slider } from 'radix-ui';
import { useState, type KeyboardEvent } from 'react';
import { parsePrice, rupees } from '#domain/shared/money.ts';
import { counted } from '../../../lib/numbers.ts';
import { PRICE, priceRange, type PriceRange } from './shop-filters.ts';
import { rupeesText } from '../catalogue-text.ts';

type PriceRangeFieldProps = { readonly value: PriceRange; readonly onChange: (value: PriceRange) => void };

/** A slider with two thumbs in steps of 100 rupees, and inputs for exact prices. */
export const PriceRangeField = ({ value: { min, max }, onChange }: PriceRangeFieldProps) => (
  <>
    <Slider.Root
      min={PRICE.min}
      max={PRICE.max}
      step={PRICE.step}
      value={[min, max]}
      onValueChange={([low = PRICE.min, high = PRICE.max]) => onChange(priceRange(low, high))}
      className="relative mt-6 flex h-6 touch-none items-center select-none forced-color-adjust-none"
    >
      <Slider.Track className="relative h-px grow bg-teak">
        <Slider.Range className="absolute -top-px h-[3px] bg-oxblood" />
      </Slider.Track>
      <Thumb label="Lowest price" valueText={rupeesText(min)} />
      <Thumb label="Highest price" valueText={max === PRICE.max ? `${rupeesText(max)} and more` : rupeesText(max)} />
    </Slider.Root>
    <div className="mt-6 grid grid-cols-[1fr_auto_1fr] items-end gap-3">
      <PriceBox label="From" value={min} onChange={(price) => onChange(priceRange(price, max))} />
      <span className="pb-2.5 text-clove">to</span>
      <PriceBox label="To" value={max} onChange={(price) => onChange(priceRange(min, price))} />
    </div>
  </>
);

const Thumb = ({ label, valueText }: { readonly label: string; readonly valueText: string }) => (
  <Slider.Thumb
    aria-label={label}
    aria-valuetext={valueText}
    className="block size-6 cursor-grab rounded-full border-2 border-oxblood bg-white active:cursor-grabbing"
  />
);

type PriceBoxProps = { readonly label: string; readonly value: number; readonly onChange: (price: number) => void };

/** Commits on leaving the input or on Enter: a half-typed number is not a price. */
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
          value={typed ?? counted(value)}
          onChange={(event) => setTyped(event.target.value)}
          onBlur={commit}
          onKeyDown={onKeyDown}
          className="figures w-full min-w-0 bg-transparent pl-1.5 outline-none"
        />
      </span>
    </label>
  );
};
