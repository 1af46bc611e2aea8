import { Info } from 'lucide-react';
import { useState, type SyntheticEvent } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/form/Field.tsx';

/** Wired to no call (decisions, section 5). What it answers is no error. */
export const CouponBox = () => {
  const [applied, setApplied] = useState(false);
  const apply = (event: SyntheticEvent): void => {
    event.preventDefault();
    setApplied(true);
  };
  return (
    <form onSubmit={apply}>
      <div className="flex items-end gap-2">
        <Field label="Coupon code" name="coupon" autoComplete="off" className="min-w-0 flex-1" onChange={() => setApplied(false)} />
        <Button type="submit" kind="outline" className="min-h-12">
          Apply
        </Button>
      </div>
      <output className="block">
        {applied && (
          <span className="mt-2 flex items-center gap-1.5 text-[0.875rem] text-clove">
            <Info className="size-4" strokeWidth={1.5} />
            Coupons are not available yet
          </span>
        )}
      </output>
    </form>
  );
};
