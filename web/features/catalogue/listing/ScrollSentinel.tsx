import { useEffect, useEffectEvent, useRef } from 'react';

/** Within 400 px of the window's lower edge (specification, section 4), or above it: a fling to the footer passes the end unseen. */
const NEAR = '1000000px 0px 400px 0px';

type NearEndProps = {
  readonly onNear: () => void;
  /** Fires only after the end was out of reach: after a step, whoever stays at the footer has not scrolled for another. */
  readonly fromAfar: boolean;
};

/** A line that is not seen, and says once that the end of the page is near. */
export const NearEnd = ({ onNear, fromAfar }: NearEndProps) => {
  const line = useRef<HTMLDivElement>(null);
  const near = useEffectEvent(onNear);
  useEffect(() => {
    let armed = !fromAfar;
    const observer = new IntersectionObserver(
      (entries) => {
        const isNear = entries.at(-1)?.isIntersecting === true;
        if (isNear && armed) {
          observer.disconnect();
          near();
        }
        armed ||= !isNear;
      },
      { rootMargin: NEAR },
    );
    if (line.current) observer.observe(line.current);
    return () => observer.disconnect();
  }, [fromAfar]);
  return <div ref={line} aria-hidden="true" className="-mb-4" />;
};
