import type { LucideIcon } from 'lucide-react';
import { useId, type ComponentProps } from 'react';

type RadioCardProps = Omit<ComponentProps<'input'>, 'type' | 'className'> & {
  readonly label: string;
  readonly detail?: string;
  readonly icon?: LucideIcon;
};

/** A radio with an explanation. Give all radios of a group the same `name`. */
export const RadioCard = ({ label, detail, icon: Icon, ...input }: RadioCardProps) => {
  const id = useId();
  return (
    <label className="group flex cursor-pointer items-start gap-4 rounded-xs border border-teak bg-white p-5 hover:border-ink has-disabled:cursor-not-allowed has-disabled:border-sandal has-disabled:bg-ash has-checked:border-oxblood has-checked:shadow-[inset_0_0_0_1px_var(--color-oxblood)] has-focus-visible:outline-2 has-focus-visible:outline-offset-3 has-focus-visible:outline-oxblood">
      <input
        type="radio"
        {...input}
        aria-labelledby={`${id}-label`}
        aria-describedby={detail === undefined ? undefined : `${id}-detail`}
        className="peer sr-only"
      />
      <span className="mt-0.5 inline-flex size-5 shrink-0 forced-color-adjust-none bg-white items-center justify-center rounded-full border border-teak peer-checked:border-oxblood peer-checked:[&>*]:bg-oxblood">
        <span className="size-2.5 rounded-full" />
      </span>
      <span className="flex-1">
        <span id={`${id}-label`} className="block font-medium">
          {label}
        </span>
        {detail !== undefined && (
          <span id={`${id}-detail`} className="mt-0.5 block text-[0.875rem] text-clove">
            {detail}
          </span>
        )}
      </span>
      {Icon && <Icon className="size-6 text-clove" strokeWidth={1.3} />}
    </label>
  );
};
