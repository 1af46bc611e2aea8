import { createAction, type Action } from '@reduxjs/toolkit';

/** The user's id, or null for a visitor who is not signed in. */
export type Identity = string | null;

type SessionChange = {
  readonly from: Identity;
  readonly to: Identity;
  /** `expired` means that the session ended without a sign-out, so the same user may sign in again. */
  readonly expired: boolean;
};

/** Another user now uses this tab. The store resets the previous user's data; a visitor keeps theirs when they sign in. */
export const sessionChanged = createAction<SessionChange>('session/changed');

/** Returns whether this action makes the store's data somebody else's. */
export const isAnotherShopper = (action: Action): action is ReturnType<typeof sessionChanged> =>
  sessionChanged.match(action) && (action.payload.from !== null || action.payload.to === null);
