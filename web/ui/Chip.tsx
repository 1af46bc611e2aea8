import { X } from 'lucide-react';

export const Chip = ({ label, onRemove }: { readonly label: string; readonly onRemove: () => void }) => (
  <span className="inline-flex h-10 items-center gap-1 rounded-full border border-sandal bg-white pr-1 pl-4 text-[0.875rem]">
    {label}
    <button
      type="button"
      aria-label={`Remove ${label}`}
      onClick={onRemove}
      className="inline-flex size-8 items-center justify-center rounded-full text-clove hover:bg-ink/6 hover:text-ink"
    >
      <X className="size-4" strokeWidth={1.5} />
    </button>
  </span>
);
