import { type ReactNode, useState } from 'react';

type StatusProps = { readonly children: ReactNode; readonly className?: string };

/**
 * A status that comes with its page. A screen reader announces what changes in a region that is there already, so the text follows once the
 * region is mounted.
 */
export const Status = ({ children, className }: StatusProps) => {
  const [region, setRegion] = useState<Element | null>(null);
  return (
    <p ref={setRegion} role="status" className={className}>
      {region && children}
    </p>
  );
};
