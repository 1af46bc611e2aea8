import type { ComponentProps } from 'react';

type SwitchProps = Omit<ComponentProps<'input'>, 'type' | 'role' | 'className'> & { readonly label: string };

export const Switch = ({ label, ...input }: SwitchProps) => (
  <label className="flex min-h-11 cursor-pointer items-center justify-between gap-4 text-[0.9375rem] has-disabled:cursor-not-allowed has-disabled:text-clove has-focus-visible:outline-2 has-focus-visible:outline-offset-3 has-focus-visible:outline-oxblood">
    {label}
    {/* oxlint-disable-next-line jsx-a11y/role-has-required-aria-props -- a checkbox says itself whether it is checked */}
    <input type="checkbox" role="switch" {...input} className="peer sr-only" />
    <span
      aria-hidden="true"
      className="relative h-6 w-11 shrink-0 forced-color-adjust-none rounded-full bg-teak transition-colors peer-checked:bg-oxblood peer-disabled:bg-sandal peer-checked:[&>*]:translate-x-5"
    >
      <span className="absolute top-1 left-1 size-4 rounded-full bg-white transition-transform" />
    </span>
  </label>
);
