import type { Dispatch, ThunkDispatch, UnknownAction } from '@reduxjs/toolkit';
import type { ComponentType } from 'react';
import type { Path } from 'react-router-dom';
import type { Saga } from 'redux-saga';

export type Address = Pick<Path, 'pathname' | 'search'>;

/** Asks for what the first paint of a screen needs (domain/first-calls.ts); settles when it is in the store. */
export type FirstCalls = (dispatch: Dispatch & ThunkDispatch<never, never, UnknownAction>, address: Address) => Promise<unknown>;

/** What comes with the script of a page. */
export type Screen = {
  readonly Component: ComponentType;
  /** What its first paint needs of the server. */
  readonly firstCalls?: FirstCalls;
  /** What works behind it, and behind no page before it. */
  readonly saga?: Saga;
};

/** Nobody waits for such an answer yet: the screen that is drawn with it will. */
export const withoutSubscription = { subscribe: false } as const;
