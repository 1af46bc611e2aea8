import { useRef, useState, type MouseEvent, type PointerEvent } from 'react';

/** A movement of fewer px is a click. */
const DRAG_STARTS_AFTER = 5;

type Swipe = {
  /** The distance in px that the drag has moved the track; 0 without a drag. */
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
 * Handles horizontal dragging by mouse, pen or finger on an element with `touch-action: pan-y`. `onSwipe` gets the distance in px, which is
 * negative to the left.
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
        // The button was released outside, before the pointer was captured.
        if (event.buttons === 0) return end();
        const distance = event.clientX - start.current;
        if (!dragged.current && Math.abs(distance) <= DRAG_STARTS_AFTER) return;
        // From here on the pointer may leave the element. Capturing it earlier would take the click from a link under it.
        if (!dragged.current) event.currentTarget.setPointerCapture(event.pointerId);
        dragged.current = true;
        setOffset(distance);
      },
      onPointerUp: (event) => {
        if (start.current !== undefined && dragged.current) onSwipe(event.clientX - start.current);
        end();
      },
      onPointerCancel: end,
      // The click that ends a drag must not reach the card under the pointer.
      onClickCapture: (event) => {
        if (!dragged.current) return;
        event.preventDefault();
        event.stopPropagation();
        dragged.current = false;
      },
    },
  };
};
