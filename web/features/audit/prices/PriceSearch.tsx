import { useId, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { ProductView } from '#domain/product/view.ts';
import { useDebounced } from '../../../lib/use-debounced.ts';
import { SearchInput } from '../../../ui/SearchInput.tsx';
import { MomentPicker } from '../MomentPicker.tsx';
import { usePerfumesQuery } from '../audit-api.ts';
import { pricePath } from '../audit-paths.ts';

/** Opens a product's price at a moment. Removed products can only be found through the log. */
export const PriceSearch = () => {
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const { data: perfumes = [] } = usePerfumesQuery(useDebounced(text.trim()));
  const pick = (moment: string): string => {
    const chosen = perfumes.find(({ _id, name }) => [_id, name.toLowerCase()].includes(text.trim().toLowerCase()));
    if (!chosen) return 'Choose a perfume';
    void navigate(pricePath(chosen._id, moment));
    return '';
  };
  return (
    <section
      aria-labelledby="price-search"
      className="flex flex-wrap items-end justify-between gap-x-8 gap-y-4 border-b border-ink/80 py-6"
    >
      <div>
        <h2 id="price-search" className="font-medium">
          What a perfume cost
        </h2>
        <p className="text-[0.875rem] text-clove">Its price at any moment, as carts and orders of that moment used it.</p>
      </div>
      <MomentPicker label="At (time in India)" clock="" onPick={pick}>
        <PerfumeField perfumes={perfumes} text={text} onType={setText} />
      </MomentPicker>
    </section>
  );
};

type PerfumeFieldProps = { readonly perfumes: readonly ProductView[]; readonly text: string; readonly onType: (text: string) => void };

/** A text field for which the browser suggests matching perfumes. Perfumes with the same name are suggested by id. */
const PerfumeField = ({ perfumes, text, onType }: PerfumeFieldProps) => {
  const id = useId();
  const isAlone = ({ name }: ProductView): boolean => perfumes.filter((other) => other.name === name).length === 1;
  return (
    <div className="w-60 max-w-full">
      <p aria-hidden="true" className="mb-1.5 text-[0.875rem] text-clove">
        Perfume
      </p>
      <SearchInput label="Perfume" placeholder="" list={id} value={text} onType={onType} className="h-11 text-[0.9375rem]" />
      <datalist id={id}>
        {perfumes.map((perfume) => (
          <option key={perfume._id} value={isAlone(perfume) ? perfume.name : perfume._id}>
            {perfume.name}
          </option>
        ))}
      </datalist>
    </div>
  );
};
