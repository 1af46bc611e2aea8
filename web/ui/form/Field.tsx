import { CircleAlert } from 'lucide-react';
import { useId, type ComponentProps, type ReactNode } from 'react';
import { cx } from '../cx.ts';

export type Labelled = {
  readonly label: string;
  readonly error?: string | undefined;
  readonly hint?: string | undefined;
  /** Optional fields say so; required ones, the majority, have no mark. */
  readonly optional?: boolean | undefined;
  readonly className?: string | undefined;
};

export const inputStyle = (error: string | undefined, extra: string): string =>
  cx(
    'w-full rounded-xs border bg-white px-4 text-[1rem] text-ink placeholder:text-clove/80',
    error ? 'border-sindoor shadow-[inset_0_0_0_1px_var(--color-sindoor)]' : 'border-teak hover:border-ink',
    extra,
  );

type FrameProps = Labelled & { readonly id: string; readonly children: ReactNode };

/** A label, a control and its error or hint, which `aria-describedby` ties to the control. */
export const Frame = ({ id, label, error, hint, optional = false, className, children }: FrameProps) => (
  <div className={className}>
    <label htmlFor={id} className="mb-2 flex items-baseline justify-between text-[0.875rem] font-medium">
      {label}
      {optional && <span className="text-xs font-normal text-clove">Optional</span>}
    </label>
    {children}
    {error && (
      <p id={`${id}-note`} className="mt-2 flex items-center gap-1.5 text-[0.875rem] font-medium text-sindoor">
        <CircleAlert className="size-4" strokeWidth={1.8} />
        {error}
      </p>
    )}
    {!error && hint && (
      <p id={`${id}-note`} className="mt-2 text-xs text-clove">
        {hint}
      </p>
    )}
  </div>
);

export const createAria = (id: string, { error, hint }: Labelled) => ({
  id,
  'aria-invalid': error ? true : undefined,
  'aria-describedby': error || hint ? `${id}-note` : undefined,
});

type FieldProps = Labelled & Omit<ComponentProps<'input'>, 'className' | 'id'> & { readonly trail?: ReactNode };

export const Field = ({ label, error, hint, optional, className, trail, ...input }: FieldProps) => {
  const id = useId();
  const labelled = { label, error, hint, optional, className };
  return (
    <Frame {...labelled} id={id}>
      <div className="relative">
        <input {...input} {...createAria(id, labelled)} className={inputStyle(error, trail ? 'h-12 pr-12' : 'h-12')} />
        {trail}
      </div>
    </Frame>
  );
};

type TextAreaProps = Labelled & Omit<ComponentProps<'textarea'>, 'className' | 'id'>;

export const TextArea = ({ label, error, hint, optional, className, ...input }: TextAreaProps) => {
  const id = useId();
  const labelled = { label, error, hint, optional, className };
  return (
    <Frame {...labelled} id={id}>
      <textarea rows={5} {...input} {...createAria(id, labelled)} className={inputStyle(error, 'py-3 leading-relaxed')} />
    </Frame>
  );
};
