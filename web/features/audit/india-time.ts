const OFFSET = 5.5 * 3_600_000;

/** Returns a moment in Indian time in the format of `<input type="datetime-local">`, such as `2026-11-14T14:03:07`. */
export const clockInIndia = (moment: string): string => new Date(Date.parse(moment) + OFFSET).toISOString().slice(0, 19);

/** Returns the last millisecond of that second in Indian time, or undefined for an invalid time. */
export const momentInIndia = (clock: string): string | undefined => {
  const [day, time = ''] = clock.split('T');
  const parsed = Date.parse(`${day}T${time.length === 5 ? `${time}:00` : time}.999+05:30`);
  return Number.isNaN(parsed) ? undefined : new Date(parsed).toISOString();
};
