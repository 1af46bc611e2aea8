import type { AuditEvent } from '../audit-api.ts';

/**
 * Which event the address means: `2` is a revision, anything else a moment, at which the last event until then had happened. Without it,
 * or where there is none, the last event of all.
 */
export const stopAt = (events: readonly Pick<AuditEvent, 'revision' | 'recordedAt'>[], at: string | null): number => {
  const last = events.length - 1;
  if (at === null) return last;
  const found = /^\d{1,9}$/.test(at) ? events.findIndex(({ revision }) => revision === Number(at)) : stopAtMoment(events, at);
  return found === -1 ? last : found;
};

/** The last event that had happened at this moment; −1 when none had, or it is no moment. */
export const stopAtMoment = (events: readonly Pick<AuditEvent, 'recordedAt'>[], moment: string): number => {
  const time = Date.parse(moment);
  return events.findLastIndex(({ recordedAt }) => recordedAt !== null && Date.parse(recordedAt) <= time);
};

const OFFSET = 5.5 * 3_600_000;

/** `2026-11-14T14:03:07`: a moment as the clock in India shows it, as a picker of dates takes it. */
export const clockInIndia = (moment: string): string => new Date(Date.parse(moment) + OFFSET).toISOString().slice(0, 19);

/** The end of the second that the clock in India shows so; undefined when it is no time. */
export const momentInIndia = (clock: string): string | undefined => {
  const [day, time = ''] = clock.split('T');
  const parsed = Date.parse(`${day}T${time.length === 5 ? `${time}:00` : time}.999+05:30`);
  return Number.isNaN(parsed) ? undefined : new Date(parsed).toISOString();
};
