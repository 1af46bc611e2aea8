import { useEffect, useRef } from 'react';

/**
 * Where a line is removed the focus would fall out of the page. It goes to the name of the line that took its place, else of the last
 * one, else to the heading of the cart that is now empty.
 */
export const useFocusAfterRemoval = () => {
  const main = useRef<HTMLDivElement>(null);
  const removed = useRef<number>(undefined);
  // After each drawing: the one after a removal is the first without the line.
  useEffect(() => {
    if (removed.current === undefined) return;
    const names = main.current?.querySelectorAll<HTMLElement>('li h2 a') ?? [];
    const next = names[Math.min(removed.current, names.length - 1)] ?? main.current?.querySelector<HTMLElement>('h1');
    removed.current = undefined;
    next?.focus();
  });
  return {
    main,
    onRemoved: (index: number): void => {
      removed.current = index;
    },
  };
};
