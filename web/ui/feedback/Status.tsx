import { type ReactNode, useState } from 'react';

type StatusProps = { readonly children: ReactNode; readonly className?: string };

/** Whether the element with this ref is mounted. A screen reader announces only what changes in a mounted status region. */
export const useMountedRegion = () => {
  const [region, ref] = useState<Element | null>(null);
  return { isMounted: region !== null, ref };
};

/** A status that comes with its page: its text follows once the region is mounted. */
export const Status = ({ children, className }: StatusProps) => {
  const { isMounted, ref } = useMountedRegion();
  return (
    <p ref={ref} role="status" className={className}>
      {isMounted && children}
    </p>
  );
};
