import { useLayoutEffect, useRef, useState } from 'react';

/** How wide an element is drawn, in px, measured before it is first painted; `assumed` where nothing is drawn. */
export const useWidth = <Of extends HTMLElement>(assumed: number) => {
  const element = useRef<Of>(null);
  const [width, setWidth] = useState(assumed);
  useLayoutEffect(() => {
    const learn = (measured = 0): void => {
      if (measured > 0) setWidth(Math.round(measured));
    };
    const observer = new ResizeObserver((entries) => learn(entries.at(-1)?.contentRect.width));
    if (element.current) {
      learn(element.current.clientWidth);
      observer.observe(element.current);
    }
    return () => observer.disconnect();
  }, []);
  return { element, width };
};
