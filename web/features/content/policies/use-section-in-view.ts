import { useEffect, useRef, useState } from 'react';

/** All that lies above a line a fifth down the window, under the sticky header: where a reader's eyes are near. */
const READ = { rootMargin: '1000000px 0px -80% 0px' };

/** Which of the children of `list` is being read, from 0: the last that begins above the line. */
export const useSectionInView = () => {
  const list = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState(0);
  useEffect(() => {
    const begun = new Set<Element>();
    const observer = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) begun[isIntersecting ? 'add' : 'delete'](target);
      setCurrent(Math.max(0, begun.size - 1));
    }, READ);
    for (const section of list.current?.children ?? []) observer.observe(section);
    return () => observer.disconnect();
  }, []);
  return { list, current };
};
