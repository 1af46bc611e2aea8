import { useEffect, useRef, useState } from 'react';

/** How wide an element is drawn, in px; `assumed` until it was measured. */
export const useWidth = <Of extends HTMLElement>(assumed: number) => {
  const element = useRef<Of>(null);
  const [width, setWidth] = useState(assumed);
  useEffect(() => {
    const observer = new ResizeObserver((entries) => {
      const measured = entries.at(-1)?.contentRect.width;
      if (measured) setWidth(Math.round(measured));
    });
    if (element.current) observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return { element, width };
};
