import { useEffect, useRef } from 'react';

/** Rows of a list carry `data-row`, their number or name. */
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

/** The position of a control in the list; undefined outside its rows. */
const placeOf = (list: HTMLElement, control: Element): Place | undefined => {
  const row = control.closest<HTMLElement>(ROW);
  if (!row || !list.contains(row)) return undefined;
  return {
    control,
    row: row.dataset['row'],
    rowAt: [...list.querySelectorAll(ROW)].indexOf(row),
    controlAt: [...row.querySelectorAll(CONTROL)].indexOf(control),
  };
};

const successorOf = (list: HTMLElement, { row, rowAt, controlAt }: Place): HTMLElement | null | undefined => {
  const rows = [...list.querySelectorAll<HTMLElement>(ROW)];
  const next = rows.find(({ dataset }) => dataset['row'] === row) ?? nearest(rows, rowAt);
  if (next) return nearest([...next.querySelectorAll<HTMLElement>(CONTROL)], controlAt);
  return list.closest('section')?.querySelector('h2');
};

/**
 * Keeps the focus in a list whose focused control disappears, alone or with its row (a product deleted, an order's status changed). The
 * focus moves to the control in its place: in the same row, else in the row that took its place, else in the last one, else to the panel's
 * heading. Returns props for the element around the list.
 */
export const useRowFocus = () => {
  const list = useRef<HTMLDivElement>(null);
  const last = useRef<Place>(undefined);

  useEffect(() => {
    const note = ({ target }: FocusEvent): void => {
      // Opening a dialog must not change the remembered position: the dialog returns the focus.
      if (!list.current || !(target instanceof Element) || target.closest(DIALOG)) return;
      last.current = placeOf(list.current, target);
    };
    document.addEventListener('focusin', note);
    return () => document.removeEventListener('focusin', note);
  }, []);

  // Without dependencies: the render that removes the control is one of them.
  useEffect(() => {
    if (!list.current || !last.current || last.current.control.isConnected) return;
    if (document.activeElement === document.body) successorOf(list.current, last.current)?.focus();
  });
  return list;
};
