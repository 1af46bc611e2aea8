import { ChevronDown } from 'lucide-react';
import { useId, type ComponentProps } from 'react';
import { createAria, inputStyle, Frame, type Labelled } from './Field.tsx';

type SelectFieldProps = Labelled &
  Omit<ComponentProps<'select'>, 'className' | 'id' | 'children'> & {
    readonly options: readonly { readonly value: string; readonly text: string }[];
  };

export const SelectField = ({ label, error, hint, optional, className, options, ...select }: SelectFieldProps) => {
  const id = useId();
  const labelled = { label, error, hint, optional, className };
  return (
    <Frame {...labelled} id={id}>
      <span className="relative block">
        <select {...select} {...createAria(id, labelled)} className={inputStyle(error, 'h-12 appearance-none')}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.text}
            </option>
          ))}
        </select>
        <ChevronDown className="pointer-events-none absolute top-1/2 right-4 size-4 -translate-y-1/2" strokeWidth={1.5} />
      </span>
    </Frame>
  );
};
