import { ChevronDown } from 'lucide-react';
import { useId } from 'react';

type SelectFieldProps<Value extends string> = {
  readonly label: string;
  readonly name: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly text: string }[];
  readonly onChoose: (value: Value) => void;
};

export const SelectField = <Value extends string>({ label, name, value, options, onChoose }: SelectFieldProps<Value>) => {
  const id = useId();
  const choose = (text: string) => {
    const option = options.find((each) => each.value === text);
    if (option) onChoose(option.value);
  };
  return (
    <div>
      <label htmlFor={id} className="mb-2 block text-[0.875rem] font-medium">
        {label}
      </label>
      <span className="relative block">
        <select
          id={id}
          name={name}
          value={value}
          onChange={({ target }) => choose(target.value)}
          className="h-12 w-full appearance-none rounded-xs border border-teak bg-white px-4 text-[1rem] hover:border-ink"
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.text}
            </option>
          ))}
        </select>
        <ChevronDown className="pointer-events-none absolute top-1/2 right-4 size-4 -translate-y-1/2" strokeWidth={1.5} />
      </span>
    </div>
  );
};
