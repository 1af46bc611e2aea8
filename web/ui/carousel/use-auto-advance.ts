import { useEffect, useEffectEvent, useState, type RefObject } from 'react';
import { useReducedMotion } from '../../lib/use-media.ts';

type AutoAdvance = {
  /** Whether it moves by itself once nothing holds it; what the pause button says. */
  readonly playing: boolean;
  /** The shopper took it in hand: it does not move by itself again. */
  readonly stop: () => void;
  readonly toggle: () => void;
};

/** Whether somebody points at it, has the focus in it, or it is out of sight: then it waits. */
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

/**
 * Calls `advance` every `ms` while the element is in sight and nobody is busy with it. Where the reader asked for less motion
 * it stays still until told to play.
 */
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
