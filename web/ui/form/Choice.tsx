import { Check } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';

type ChoiceProps = Omit<ComponentProps<'input'>, 'type' | 'className'> & { readonly label: ReactNode; readonly trail?: ReactNode };

/** The mark opts out of forced colours, which would remove the background that shows whether it is checked. */
const mark = 'forced-color-adjust-none inline-flex size-5 shrink-0 items-center justify-center border border-teak bg-white';

const row =
  'flex min-h-11 cursor-pointer items-center gap-3 text-[0.9375rem] has-focus-visible:outline-2 has-focus-visible:outline-offset-3 has-focus-visible:outline-oxblood';

export const Checkbox = ({ label, trail, ...input }: ChoiceProps) => (
  <label className={row}>
    <input type="checkbox" {...input} className="peer sr-only" />
    <span className={`${mark} rounded-xs text-transparent peer-checked:border-oxblood peer-checked:bg-oxblood peer-checked:text-ivory`}>
      <Check className="size-3.5" strokeWidth={2.5} />
    </span>
    <span className="flex-1">{label}</span>
    {trail}
  </label>
);

/** Give all radios of a group the same `name`. */
export const Radio = ({ label, trail, ...input }: ChoiceProps) => (
  <label className={row}>
    <input type="radio" {...input} className="peer sr-only" />
    <span className={`${mark} rounded-full peer-checked:border-oxblood peer-checked:[&>*]:bg-oxblood`}>
      <span className="size-2.5 rounded-full" />
    </span>
    <span className="flex-1">{label}</span>
    {trail}
  </label>
);
