import { Chip } from '../../../ui/Chip.tsx';
import { activeFilters, noFilters, type ShopFilters } from './shop-filters.ts';

type ActiveFiltersProps = { readonly filters: ShopFilters; readonly onChange: (filters: ShopFilters) => void };

/** The filters in force, each with its way out; nothing where none is. */
export const ActiveFilters = ({ filters, onChange }: ActiveFiltersProps) => {
  const active = activeFilters(filters);
  if (active.length === 0) return null;
  return (
    <ul aria-label="Active filters" className="mt-5 flex flex-wrap items-center gap-2">
      {active.map(({ label, without }) => (
        <li key={label} className="max-w-full">
          <Chip label={label} onRemove={() => onChange(without)} />
        </li>
      ))}
      <li>
        <button type="button" onClick={() => onChange(noFilters)} className="link ml-2 min-h-10 px-1 text-[0.875rem] font-medium">
          Clear all
        </button>
      </li>
    </ul>
  );
};
