import { useEffect, useRef } from 'react';

/** A row of a list is marked with `data-row`, its number or name. */
const ROW = '[data-row]';
const CONTROL = 'a, button';
const DIALOG = '[role=dialog], [role=alertdialog]';

type Place = {
  readonly control: Element;
  readonly row: string | undefined;
  readonly rowAt: number;
  readonly controlAt: number;
};

const nearest = <Of>(all: readonly Of[], at: number): Of | undefined => all[Math.min(at, all.length - 1)];

/** Where this control stands in the list; undefined for one that is in none of its rows. */
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
 * Where the control that has the focus goes away, with its row or alone (a product deleted, an order moved on), the focus would fall out of
 * the page. It goes to what now stands in its place: in the same row, else in the one that took that row's place, else in the last one; and
 * to the heading of the panel when no row is left. Answers with what to hand to the element around the list.
 */
export const useRowFocus = () => {
  const list = useRef<HTMLDivElement>(null);
  const last = useRef<Place>(undefined);

  useEffect(() => {
    const note = ({ target }: FocusEvent): void => {
      // A dialog gives the focus back, so it leaves the place as it was.
      if (!list.current || !(target instanceof Element) || target.closest(DIALOG)) return;
      last.current = placeOf(list.current, target);
    };
    document.addEventListener('focusin', note);
    return () => document.removeEventListener('focusin', note);
  }, []);

  // After each drawing: the one after which the control is gone is among them.
  useEffect(() => {
    if (!list.current || !last.current || last.current.control.isConnected) return;
    if (document.activeElement === document.body) successorOf(list.current, last.current)?.focus();
  });
  return list;
};
