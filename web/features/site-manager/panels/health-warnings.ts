import { momentText } from '../../../lib/dates.ts';
import { count, formatNumber } from '../../../lib/format.ts';
import type { Health, ProjectionHealth } from '../admin-types.ts';

/** Projections that lag fewer seconds are not reported. */
export const LAG_TO_NAME = 10;
/** One or two failed attempts at a mail are not reported. */
const WAIT_TO_NAME_MS = 5 * 60_000;

const listProjectionWarnings = ({ name, isBuilt, lagEvents, lagSeconds, parkedEvents, isAtWork }: ProjectionHealth): string[] => [
  ...(isAtWork ? [] : [`Nobody works on “${name}”: what happens does not get into it.`]),
  ...(isBuilt ? [] : [`“${name}” is still being built: its figures are incomplete until then.`]),
  ...(isBuilt && lagSeconds > LAG_TO_NAME
    ? [`“${name}” is ${count(lagEvents, 'event')} behind, for ${formatNumber(Math.round(lagSeconds))} s.`]
    : []),
  ...(parkedEvents > 0
    ? [`“${name}” could not apply ${count(parkedEvents, 'event')}: they are parked until the fault is mended and retried.`]
    : []),
];

export const mailWarnings = ({ waiting, waitingSince, parked }: Health['outbox'], now: number): string[] => [
  ...(waitingSince !== null && now - Date.parse(waitingSince) > WAIT_TO_NAME_MS
    ? [
        `${count(waiting, 'mail')} could not be delivered yet, the oldest of ${momentText(waitingSince)}: the mail server does not take them.`,
      ]
    : []),
  ...(parked > 0 ? [`${count(parked, 'mail')} could not be delivered and will not be tried again.`] : []),
];

const reactionWarning = ({ name, parkedStreams }: Health['reactions'][number]): string =>
  `“${name}” was given up for ${count(parkedStreams, 'order')} until its fault is mended; it is tried again by itself.`;

/** Shown when the circuit breaker is open and no call is made to the gateway. */
export const GATEWAY_SILENT =
  'The payment gateway does not answer: nobody can pay in advance for now. Payments and refunds are checked again until it answers.';

/** Returns a sentence for each thing that stands still or waits for too long. */
export const listWarnings = ({ projections, outbox, reactions, isGatewayAvailable }: Health): readonly string[] => [
  ...projections.flatMap(listProjectionWarnings),
  ...mailWarnings(outbox, Date.now()),
  ...reactions.map(reactionWarning),
  ...(isGatewayAvailable ? [] : [GATEWAY_SILENT]),
];
