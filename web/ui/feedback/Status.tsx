import { type ReactNode, useState } from 'react';

type StatusProps = { readonly children: ReactNode; readonly className?: string };

/** Returns whether the element with this ref is mounted. A screen reader announces only changes in a mounted status region. */
export const useMountedRegion = () => {
  const [region, ref] = useState<Element | null>(null);
  return { isMounted: region !== null, ref };
};

/** A status that is rendered with its page. Its text is added once the region is mounted, so that screen readers announce it. */
export const Status = ({ children, className }: StatusProps) => {
  const { isMounted, ref } = useMountedRegion();
  return (
    <p ref={ref} role="status" className={className}>
      {isMounted && children}
    </p>
  );
};
