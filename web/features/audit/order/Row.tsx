import type { ReactNode } from 'react';

/** A name and value in a description list. */
export const FieldRow = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div className="grid grid-cols-[6.5rem_minmax(0,1fr)] items-baseline gap-x-3 border-b border-sandal/60 py-2.5">
    <dt className="text-clove">{name}</dt>
    <dd className="figures min-w-0 wrap-anywhere">{children}</dd>
  </div>
);
