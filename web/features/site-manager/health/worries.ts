import type { Health, ProjectionHealth } from '../answers.ts';
import { counted } from '../words.ts';

/** Seconds that a read model may be behind before an admin should know. */
const LAG_TO_NAME = 10;

const events = (count: number): string => `${counted(count)} ${count === 1 ? 'event' : 'events'}`;
const mails = (count: number): string => `${counted(count)} ${count === 1 ? 'mail' : 'mails'}`;

const worryOf = ({ name, isBuilt, lagEvents, lagSeconds, parkedEvents, isAtWork }: ProjectionHealth): string[] => [
  ...(isAtWork ? [] : [`Nobody works on “${name}”: what happens does not get into it.`]),
  ...(isBuilt ? [] : [`“${name}” is still being built: its figures are not whole yet.`]),
  ...(isBuilt && lagSeconds > LAG_TO_NAME ? [`“${name}” is ${events(lagEvents)} behind, for ${counted(Math.round(lagSeconds))} s.`] : []),
  ...(parkedEvents > 0
    ? [`“${name}” could not apply ${events(parkedEvents)}: they are parked until the fault is mended and retried.`]
    : []),
];

/** What an admin should see to, in sentences; none when all is well. */
export const worriesIn = ({ projections, outbox }: Health): readonly string[] => [
  ...projections.flatMap(worryOf),
  ...(outbox.parked > 0 ? [`${mails(outbox.parked)} could not be delivered and will not be tried again.`] : []),
];
