import { NO_STREAM } from '#domain/event-store.ts';
import { shopperId, type OrderNumber } from '#domain/shared/ids.ts';
import type { TaxDocumentRow } from '#projections/invoices/projector.ts';
import type { TaxDocuments } from '#projections/invoices/queries.ts';

import type { Session, Sessions } from '../../accounts/sessions/session-store.ts';
import type { AnswerCache, CachedAnswer, Claim, Claimed } from '../../accounts/idempotency/answer-cache.ts';
import type { Reserve } from '../../orders/order-numbers.ts';
import type { Visitors } from '../../orders/visitor-users.ts';
import type { Kept, SimulatedTables } from './simulated-tables.ts';
import type { NetworkCall } from './simulated-network.ts';
import type { FaultHooks } from './world.ts';

/** The doubles run behind a simulated network, with the database's clock and unique ids. */
export type At = {
  readonly tables: SimulatedTables;
  readonly viaNetwork: NetworkCall;
  readonly milliseconds: () => number;
  readonly newId: () => string;
};

/** Behaves like `visitorsIn` (orders/visitor-users.ts). Both pass the same tests (test-doubles.test.ts). */
export const visitorsAt = ({ tables: { visitors }, viaNetwork }: At): Visitors => ({
  becomes: (visitor, user) =>
    viaNetwork(`note that ${visitor} is ${user}`, () => {
      const known = visitors.get(visitor) ?? { user, isClaimed: false };
      visitors.set(visitor, known);
      return shopperId(known.user);
    }),
  userOf: (visitor) =>
    viaNetwork(`ask who ${visitor} is`, () => {
      const user = visitors.get(visitor)?.user;
      return user === undefined ? undefined : shopperId(user);
    }),
  unclaimedOf: (user) =>
    viaNetwork(`ask who ${user} was`, () =>
      [...visitors]
        .filter(([, row]) => row.user === user && !row.isClaimed)
        .map(([visitor]) => shopperId(visitor))
        .toReversed(),
    ),
  claimed: (visitor) =>
    viaNetwork(`note that all of ${visitor} is claimed`, () => {
      const row = visitors.get(visitor);
      if (row) visitors.set(visitor, { ...row, isClaimed: true });
    }),
});

/** Behaves like `createReserve` (orders/order-numbers.ts). */
export const reserveAt =
  ({ tables: { numbers }, viaNetwork }: At): Reserve =>
  (drawn) =>
    viaNetwork('reserve order numbers', () => {
      const isNew = (number: OrderNumber): boolean => {
        const before = numbers.size;
        return numbers.add(number).size > before;
      };
      return drawn.filter(isNew);
    });

/** Behaves like `taxDocumentQueries` (projections/invoices/queries.ts). */
export const taxDocumentsAt = ({ tables, viaNetwork }: At): Pick<TaxDocuments, 'issued'> => ({
  issued: (stream, order) =>
    viaNetwork(`ask what ${stream} has of ${order}`, () => {
      const table = stream.startsWith('invoices-') ? 'invoices' : 'credit_notes';
      const rows = tables.rows('papers', table) as readonly TaxDocumentRow[]; // only its projector writes them
      const inOrder = rows.toSorted((one, other) => (one.position < other.position ? -1 : 1));
      const { revision, hash } = inOrder.findLast((row) => row.stream === stream) ?? NO_STREAM;
      return { taxDocuments: inOrder.filter((row) => row.order_id === order).map(({ position }) => position), head: { revision, hash } };
    }),
});

/** The times in ms are those of accounts/idempotency/answer-cache.ts. */
const CLAIMED_FOR = 4_000;
const KEPT_FOR = 24 * 3_600_000;

/** Behaves like `answerCache` (accounts/idempotency/answer-cache.ts), but without encryption. */
export const answerCacheAt = (
  { tables, viaNetwork, milliseconds, newId }: At,
  { forgetsRepeats = false }: Pick<FaultHooks, 'forgetsRepeats'> = {},
): AnswerCache => {
  const { answers, sessions } = tables;

  const createClaim = (name: string, kept: Kept, isRepeated: boolean): Claim => {
    const end = (answer: CachedAnswer | null): void => {
      const now = answers.get(name);
      if (now?.claim === kept.claim) answers.set(name, { ...now, answer, claimedUntil: -Infinity });
    };
    return { command: kept.command, isRepeated, end: (answer) => viaNetwork('end a claim', () => end(answer)) };
  };

  const claim = (session: string, key: string, request: string): Claimed => {
    if (!sessions.has(session)) return { is: 'without session' };
    const name = `${session} ${key}`;
    const now = milliseconds();
    const found = answers.get(name);
    const row = found && found.expiresAt >= now ? found : undefined;
    const isFree = row === undefined || (row.answer === null && row.claimedUntil < now && row.request === request);
    if (isFree) {
      const command = row?.command ?? newId();
      const kept = { session, request, command, claim: newId(), claimedUntil: now + CLAIMED_FOR, expiresAt: now + KEPT_FOR, answer: null };
      answers.set(name, kept);
      return { is: 'ours', claim: createClaim(name, kept, !forgetsRepeats && row !== undefined) };
    }
    if (row.request !== request) return { is: 'other request' };
    return row.answer === null ? { is: 'under way' } : { is: 'answered', answer: row.answer };
  };

  return { claim: ({ session, key, request }) => viaNetwork('claim a key', () => claim(session.toString('hex'), key, request)) };
};

/** Behaves like `createSessions` (accounts/sessions/session-store.ts) without cache and expiry. The token is the session's id. */
export const sessionsAt = ({ tables: { sessions, answers }, viaNetwork, newId }: At): Sessions => {
  const open = (owner: Session['owner']) => {
    const id = newId();
    const session = { id, begunAt: new Date(0), owner };
    sessions.set(id, session);
    return { token: id, session };
  };
  const end = (id: string): void => {
    sessions.delete(id);
    for (const [name, kept] of answers) if (kept.session === id) answers.delete(name);
  };
  return {
    find: (token) => viaNetwork('find a session', () => sessions.get(token)),
    openForVisitor: () => viaNetwork('greet a visitor', () => open({ kind: 'visitor', id: newId() })),
    openForUser: (user, before) =>
      viaNetwork(`let ${user.name} in`, () => {
        if (before) end(before.id);
        return open({ kind: 'user', user });
      }),
    list: () => Promise.resolve([]),
    endOne: () => Promise.resolve(false),
    end: ({ id }) => viaNetwork('end a session', () => end(id)),
    forget: () => undefined,
  };
};
