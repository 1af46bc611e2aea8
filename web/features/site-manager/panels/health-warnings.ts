import { momentText } from '../../../lib/dates.ts';
import { count, counted } from '../../../lib/numbers.ts';
import type { Health, ProjectionHealth } from '../admin-types.ts';

/** Seconds that a read model may be behind before an admin should know. */
const LAG_TO_NAME = 10;
/** Milliseconds that a mail may wait: a first try or two may fail without anybody having to know. */
const WAIT_TO_NAME = 5 * 60_000;

const worryOf = ({ name, isBuilt, lagEvents, lagSeconds, parkedEvents, isAtWork }: ProjectionHealth): string[] => [
  ...(isAtWork ? [] : [`Nobody works on “${name}”: what happens does not get into it.`]),
  ...(isBuilt ? [] : [`“${name}” is still being built: its figures are not whole yet.`]),
  ...(isBuilt && lagSeconds > LAG_TO_NAME
    ? [`“${name}” is ${count(lagEvents, 'event')} behind, for ${counted(Math.round(lagSeconds))} s.`]
    : []),
  ...(parkedEvents > 0
    ? [`“${name}” could not apply ${count(parkedEvents, 'event')}: they are parked until the fault is mended and retried.`]
    : []),
];

const mailWorries = ({ waiting, waitingSince, parked }: Health['outbox'], now: number): string[] => [
  ...(waitingSince !== null && now - Date.parse(waitingSince) > WAIT_TO_NAME
    ? [
        `${count(waiting, 'mail')} could not be delivered yet, the oldest of ${momentText(waitingSince)}: the mail server does not take them.`,
      ]
    : []),
  ...(parked > 0 ? [`${count(parked, 'mail')} could not be delivered and will not be tried again.`] : []),
];

const reactionWorry = ({ name, parkedStreams }: Health['reactions'][number]): string =>
  `“${name}” was given up for ${count(parkedStreams, 'order')} until its fault is mended; it is tried again by itself.`;

/** What an admin should see to, in sentences; none when all is well. `now` in milliseconds. */
export const worriesIn = ({ projections, outbox, reactions }: Health, now = Date.now()): readonly string[] => [
  ...projections.flatMap(worryOf),
  ...mailWorries(outbox, now),
  ...reactions.map(reactionWorry),
];
