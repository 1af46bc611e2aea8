import { useEffect, useEffectEvent, useState, type RefObject } from 'react';
import { useReducedMotion } from '../../lib/use-media.ts';

type AutoAdvance = {
  /** `playing` is the state of the pause button: whether the carousel advances unless it is hovered, focused or out of view. */
  readonly playing: boolean;
  readonly stop: () => void;
  readonly toggle: () => void;
};

const useHeld = (element: RefObject<HTMLElement | null>, enabled: boolean): boolean => {
  const [hovered, setHovered] = useState(false);
  const [focused, setFocused] = useState(false);
  const [seen, setSeen] = useState(false);

  useEffect(() => {
    const node = element.current;
    if (!node || !enabled) return undefined;
    const listening = new AbortController();
    const { signal } = listening;
    node.addEventListener('pointerenter', (event) => setHovered(event.pointerType === 'mouse'), { signal });
    node.addEventListener('pointerleave', () => setHovered(false), { signal });
    node.addEventListener('focusin', () => setFocused(true), { signal });
    node.addEventListener('focusout', () => setFocused(false), { signal });
    const observer = new IntersectionObserver((entries) => setSeen(entries.some((entry) => entry.isIntersecting)));
    observer.observe(node);
    return () => {
      listening.abort();
      observer.disconnect();
    };
  }, [element, enabled]);

  return hovered || focused || !seen;
};

/** Calls `advance` every `ms` while the element is in view and neither hovered nor focused. With reduced motion it starts paused. */
export const useAutoAdvance = (
  element: RefObject<HTMLElement | null>,
  advance: () => void,
  { ms, enabled = true }: { readonly ms: number; readonly enabled?: boolean },
): AutoAdvance => {
  const reducedMotion = useReducedMotion();
  const [chosen, setChosen] = useState<boolean>();
  const playing = enabled && (chosen ?? !reducedMotion);
  const held = useHeld(element, enabled);

  const onTurn = useEffectEvent(advance);
  useEffect(() => {
    if (!playing || held) return undefined;
    const timer = setInterval(() => onTurn(), ms);
    return () => clearInterval(timer);
  }, [playing, held, ms]);

  return { playing, stop: () => setChosen(false), toggle: () => setChosen(!playing) };
};
