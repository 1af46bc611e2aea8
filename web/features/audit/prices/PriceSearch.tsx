import { useId, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { MomentPicker } from '../MomentPicker.tsx';
import { usePerfumesQuery } from '../audit-api.ts';
import { pricePath } from '../audit-paths.ts';

type Perfume = { readonly _id: string; readonly name: string };

/** Leads to a product's price at a moment. Products that were removed are found through the log. */
export const PriceSearch = () => {
  const navigate = useNavigate();
  const { data: perfumes = [] } = usePerfumesQuery();
  const [chosen, setChosen] = useState('');
  const pick = (moment: string): string => {
    if (chosen === '') return 'Choose a perfume';
    void navigate(pricePath(chosen, moment));
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
        <PerfumeField perfumes={perfumes} chosen={chosen} onChoose={setChosen} />
      </MomentPicker>
    </section>
  );
};

type PerfumeFieldProps = { readonly perfumes: readonly Perfume[]; readonly chosen: string; readonly onChoose: (id: string) => void };

const PerfumeField = ({ perfumes, chosen, onChoose }: PerfumeFieldProps) => {
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block text-[0.875rem] text-clove">
        Perfume
      </label>
      <select
        id={id}
        value={chosen}
        onChange={({ target }) => onChoose(target.value)}
        className="h-11 w-60 max-w-full rounded-xs border border-teak bg-white px-3 text-[0.9375rem] hover:border-ink"
      >
        <option value="">Choose one</option>
        {perfumes.map(({ _id, name }) => (
          <option key={_id} value={_id}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
};
