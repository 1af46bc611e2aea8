import { useEffect, useRef } from 'react';

/** Each row of a list carries `data-row`, its number or name. */
const ROW = '[data-row]';
const CONTROL = 'a, button';
const DIALOG = 'dialog';

type Place = {
  readonly control: Element;
  readonly row: string | undefined;
  readonly rowAt: number;
  readonly controlAt: number;
};

const nearest = <Of>(all: readonly Of[], at: number): Of | undefined => all[Math.min(at, all.length - 1)];

/** Returns the position of a control in the list, or undefined outside its rows. */
const findPlace = (list: HTMLElement, control: Element): Place | undefined => {
  const row = control.closest<HTMLElement>(ROW);
  if (!row || !list.contains(row)) return undefined;
  return {
    control,
    row: row.dataset['row'],
    rowAt: [...list.querySelectorAll(ROW)].indexOf(row),
    controlAt: [...row.querySelectorAll(CONTROL)].indexOf(control),
  };
};

const findSuccessor = (list: HTMLElement, { row, rowAt, controlAt }: Place): HTMLElement | null | undefined => {
  const rows = [...list.querySelectorAll<HTMLElement>(ROW)];
  const next = rows.find(({ dataset }) => dataset['row'] === row) ?? nearest(rows, rowAt);
  if (next) return nearest([...next.querySelectorAll<HTMLElement>(CONTROL)], controlAt);
  return list.closest('section')?.querySelector('h2');
};

/**
 * Keeps the focus in a list when its focused control disappears, alone or with its row (a product is deleted, an order's status changes).
 * The focus moves to the control in its place: in the same row, else in the row that took its place, else in the last row, else to the
 * panel's heading. Returns props for the element around the list.
 */
export const useRowFocus = () => {
  const list = useRef<HTMLDivElement>(null);
  const last = useRef<Place>(undefined);

  useEffect(() => {
    const note = ({ target }: FocusEvent): void => {
      // Opening a dialog must not change the remembered position, because the dialog returns the focus.
      if (!list.current || !(target instanceof Element) || target.closest(DIALOG)) return;
      last.current = findPlace(list.current, target);
    };
    document.addEventListener('focusin', note);
    return () => document.removeEventListener('focusin', note);
  }, []);

  // The effect runs after every render, because one of them removes the control.
  useEffect(() => {
    if (!list.current || !last.current || last.current.control.isConnected) return;
    if (document.activeElement === document.body) findSuccessor(list.current, last.current)?.focus();
  });
  return list;
};
