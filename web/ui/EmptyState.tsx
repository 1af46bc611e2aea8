import type { ReactNode } from 'react';
import { Niche } from './Niche.tsx';

type EmptyStateProps = {
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
};

/** For an empty list: a title, a line of help and a button. */
export const EmptyState = ({ title, children, action }: EmptyStateProps) => (
  <div className="mx-auto flex max-w-md flex-col items-center py-20 text-center">
    <Niche className="h-36 text-gold" />
    <h2 className="display mt-8 text-h2">{title}</h2>
    {children && <p className="mt-3 text-clove">{children}</p>}
    {action && <div className="mt-7">{action}</div>}
  </div>
);
