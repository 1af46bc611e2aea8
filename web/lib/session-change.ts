import { createAction, type Action } from '@reduxjs/toolkit';

/** A user's id; null for a visitor. */
export type Identity = string | null;

type SessionChange = {
  readonly from: Identity;
  readonly to: Identity;
  /** The session ended by itself: whoever had it may sign in again. */
  readonly expired: boolean;
};

/** Another identity uses this tab now. What the store has of the former one is reset; what a visitor has goes with them when they sign in. */
export const sessionChanged = createAction<SessionChange>('session/changed');

/** Whether what the store has belongs to somebody else from this action on. */
export const isAnotherShopper = (action: Action): action is ReturnType<typeof sessionChanged> =>
  sessionChanged.match(action) && (action.payload.from !== null || action.payload.to === null);
