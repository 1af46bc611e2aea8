import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router-dom';

/** Closes what `?open=` names, where the list is not beside it. */
export const BackToList = ({ children }: { readonly children: ReactNode }) => {
  const [params] = useSearchParams();
  const list = new URLSearchParams(params);
  list.delete('open');
  return (
    <Link
      to={`?${list}`}
      state={{ stay: true }}
      className="mb-1 -ml-2 inline-flex min-h-11 items-center gap-2 pr-3 pl-2 text-[0.9375rem] font-medium"
    >
      <ArrowLeft className="size-5" strokeWidth={1.5} aria-hidden="true" />
      <span>{children}</span>
    </Link>
  );
};
