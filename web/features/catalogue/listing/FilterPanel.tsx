import { X } from 'lucide-react';
import { useId, useState, type FormEvent, type ReactNode } from 'react';
import { categories, type ProductCategory } from '#domain/product/events.ts';
import { formatNumber } from '../../../lib/format.ts';
import { useDebounced } from '../../../lib/use-debounced.ts';
import { Button } from '../../../ui/Button.tsx';
import { Checkbox, Radio } from '../../../ui/form/Choice.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Dialog } from '../../../ui/overlay/Dialog.tsx';
import { useProductCountQuery } from '../catalogue-api.ts';
import { families } from '#domain/product/families.ts';
import { PriceRangeField } from './PriceRangeField.tsx';
import { noFilters, perfumeCount, toQuery, sortNames, sorts, type ShopFilters } from './shop-filters.ts';

/** The count is requested once a dragged thumb rests. */
const COUNT_AFTER_MS = 150;

type FilterPanelProps = {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly filters: ShopFilters;
  readonly onApply: (filters: ShopFilters) => void;
};

/**
 * The panel 'Filter & Sort' from the right, which Escape and a click beside it close. Changes are a draft that the button 'Show 11 perfumes'
 * applies.
 */
export const FilterPanel = ({ open, onClose, filters, onApply }: FilterPanelProps) => {
  const form = useId();
  const [draft, setDraft] = useState(filters);
  const { data: count } = useProductCountQuery(toQuery(useDebounced(draft, COUNT_AFTER_MS)), { skip: !open });

  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    onClose();
    onApply(draft);
  };
  return (
    <Dialog
      open={open}
      onEscape={onClose}
      onClickBeside={onClose}
      aria-labelledby={`${form}-title`}
      className="left-auto flex h-full max-h-none w-full max-w-[27rem] flex-col bg-ivory data-[state=closed]:animate-drawer-out data-[state=open]:animate-drawer"
    >
      <div className="flex items-center justify-between border-b border-sandal px-6 py-4">
        <h2 id={`${form}-title`} className="display text-h3">
          Filter & Sort
        </h2>
        <IconButton icon={X} label="Close" className="-mr-2.5" onClick={onClose} />
      </div>
      <div className="flex-1 overflow-y-auto px-6 pb-8">
        <form id={form} onSubmit={onSubmit}>
          <FilterFields draft={draft} onChange={(change) => setDraft({ ...draft, ...change })} />
        </form>
      </div>
      <div className="border-t border-sandal bg-ivory px-6 py-4">
        <Foot form={form} count={count} onClear={() => setDraft({ ...noFilters, q: draft.q })} />
      </div>
    </Dialog>
  );
};

type FootProps = { readonly form: string; readonly count: number | undefined; readonly onClear: () => void };

const Foot = ({ form, count, onClear }: FootProps) => (
  <div className="grid grid-cols-[auto_1fr] gap-3">
    <Button kind="quiet" size="lg" className="px-4!" onClick={onClear}>
      Clear all
    </Button>
    <Button type="submit" form={form} size="lg" className="px-2!">
      {count === undefined ? 'Show perfumes' : `Show ${perfumeCount(count)}`}
    </Button>
    <output className="sr-only">{count === undefined ? '' : `${perfumeCount(count)} found`}</output>
  </div>
);

type FilterFieldsProps = { readonly draft: ShopFilters; readonly onChange: (change: Partial<ShopFilters>) => void };

const FilterFields = ({ draft: { types, price, sort }, onChange }: FilterFieldsProps) => (
  <>
    <Section title="Family" className="pt-6">
      <div className="mt-2">
        {categories.map((category) => (
          <FamilyChoice
            key={category}
            category={category}
            checked={types.includes(category)}
            onChange={(checked) => onChange({ types: categories.filter((each) => (each === category ? checked : types.includes(each))) })}
          />
        ))}
      </div>
    </Section>
    <Section title="Price" className="mt-6 border-t border-sandal pt-6">
      <PriceRangeField value={price} onChange={(changed) => onChange({ price: changed })} />
    </Section>
    <Section title="Sort" className="mt-8 border-t border-sandal pt-6">
      <div className="mt-2">
        {sorts.map((each) => (
          <Radio key={each} name="sort" label={sortNames[each]} checked={each === sort} onChange={() => onChange({ sort: each })} />
        ))}
      </div>
    </Section>
  </>
);

const Section = ({ title, className, children }: { readonly title: string; readonly className: string; readonly children: ReactNode }) => (
  <fieldset className={className}>
    <legend className="contents">
      <span className="text-[0.9375rem] font-medium">{title}</span>
    </legend>
    {children}
  </fieldset>
);

type FamilyChoiceProps = { readonly category: ProductCategory; readonly checked: boolean; readonly onChange: (checked: boolean) => void };

/** The count covers the whole family, whatever the other filters are. */
const FamilyChoice = ({ category, checked, onChange }: FamilyChoiceProps) => {
  const { data: count } = useProductCountQuery({ category });
  return (
    <Checkbox
      label={families[category].name}
      checked={checked}
      onChange={(event) => onChange(event.target.checked)}
      trail={<span className="figures text-[0.875rem] text-clove">{count !== undefined && formatNumber(count)}</span>}
    />
  );
};
