import { useRef, useState, type MouseEvent, type PointerEvent } from 'react';

/** Less is a click, or a hand that is not quite still (specification, section 9). */
const DRAG_STARTS_AFTER = 5;

type Swipe = {
  /** How far the hand has moved the track, in px; 0 when it does not. */
  readonly offset: number;
  readonly handlers: {
    readonly onPointerDown: (event: PointerEvent<HTMLElement>) => void;
    readonly onPointerMove: (event: PointerEvent<HTMLElement>) => void;
    readonly onPointerUp: (event: PointerEvent<HTMLElement>) => void;
    readonly onPointerCancel: () => void;
    readonly onClickCapture: (event: MouseEvent<HTMLElement>) => void;
  };
};

/**
 * Dragging sideways by mouse, pen or finger; give the element `touch-action: pan-y`.
 * `onSwipe` hears how far it went, in px: negative is to the left, towards what comes next.
 */
export const useSwipe = (onSwipe: (distance: number) => void, enabled = true): Swipe => {
  const start = useRef<number>(undefined);
  const dragged = useRef(false);
  const [offset, setOffset] = useState(0);

  const end = (): void => {
    start.current = undefined;
    setOffset(0);
  };

  return {
    offset,
    handlers: {
      onPointerDown: (event) => {
        dragged.current = false;
        if (enabled && event.isPrimary && event.button === 0) start.current = event.clientX;
      },
      onPointerMove: (event) => {
        if (start.current === undefined) return;
        const distance = event.clientX - start.current;
        if (!dragged.current && Math.abs(distance) <= DRAG_STARTS_AFTER) return;
        // From here the hand may leave the element; before, capturing would take the click from the link under it.
        if (!dragged.current) event.currentTarget.setPointerCapture(event.pointerId);
        dragged.current = true;
        setOffset(distance);
      },
      onPointerUp: (event) => {
        if (start.current !== undefined && dragged.current) onSwipe(event.clientX - start.current);
        end();
      },
      onPointerCancel: end,
      // The click that ends a drag is not a click on the card under the hand.
      onClickCapture: (event) => {
        if (!dragged.current) return;
        event.preventDefault();
        event.stopPropagation();
        dragged.current = false;
      },
    },
  };
};
