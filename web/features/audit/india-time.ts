const OFFSET = 5.5 * 3_600_000;

/** `2026-11-14T14:03:07`: a moment in Indian time, as `<input type="datetime-local">` takes it. */
export const clockInIndia = (moment: string): string => new Date(Date.parse(moment) + OFFSET).toISOString().slice(0, 19);

/** The last millisecond of that second in Indian time; undefined for an invalid time. */
export const momentInIndia = (clock: string): string | undefined => {
  const [day, time = ''] = clock.split('T');
  const parsed = Date.parse(`${day}T${time.length === 5 ? `${time}:00` : time}.999+05:30`);
  return Number.isNaN(parsed) ? undefined : new Date(parsed).toISOString();
};
