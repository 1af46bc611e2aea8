import type { AuditEvent } from '../audit-types.ts';

/**
 * Returns the index of the event that `?at=` selects: a number is a revision, a moment selects the last event until then, and without a
 * valid value the last event is selected.
 */
export const stopAt = (events: readonly Pick<AuditEvent, 'revision' | 'recordedAt'>[], at: string | null): number => {
  const last = events.length - 1;
  if (at === null) return last;
  const found = /^\d{1,9}$/.test(at) ? events.findIndex(({ revision }) => revision === Number(at)) : stopAtMoment(events, at);
  return found === -1 ? last : found;
};

/** Returns the index of the last event at or before this moment, or −1 when there is none or the moment is invalid. */
export const stopAtMoment = (events: readonly Pick<AuditEvent, 'recordedAt'>[], moment: string): number => {
  const time = Date.parse(moment);
  return events.findLastIndex(({ recordedAt }) => recordedAt !== null && Date.parse(recordedAt) <= time);
};
