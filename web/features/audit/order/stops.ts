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
