/** Days from an order to its delivery, first and last (specification, section 9). */
const WINDOW = [5, 7] as const;
const DAY = 24 * 60 * 60 * 1000;

const calendar = new Intl.DateTimeFormat('en-IN', { timeZone: 'Asia/Kolkata', day: 'numeric', month: 'short' });

const dayOf = (time: number): { readonly day: string; readonly month: string } => {
  const parts = calendar.formatToParts(time);
  const part = (type: 'day' | 'month') => parts.find((each) => each.type === type)?.value ?? '';
  return { day: part('day'), month: part('month') };
};

/** When an order made at `now` (ms since 1970) arrives, by the calendar of India: `26 to 28 Nov`, `29 Nov to 1 Dec`. */
export const arrivalWindow = (now: number): string => {
  const [from, to] = [dayOf(now + WINDOW[0] * DAY), dayOf(now + WINDOW[1] * DAY)];
  const first = from.month === to.month ? from.day : `${from.day} ${from.month}`;
  return `${first} to ${to.day} ${to.month}`;
};
