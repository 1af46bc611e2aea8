import type { Dispatch, ThunkDispatch, UnknownAction } from '@reduxjs/toolkit';
import type { ComponentType } from 'react';
import type { Path } from 'react-router-dom';
import type { LazyState } from './reducer.ts';

export type ScreenAddress = Pick<Path, 'pathname' | 'search'>;

/** Dispatches the queries that the first render needs (domain/site/pages.ts) and resolves when their answers are in the store. */
export type FirstCalls = (dispatch: Dispatch & ThunkDispatch<never, never, UnknownAction>, address: ScreenAddress) => Promise<unknown>;

export type Screen = LazyState & { readonly Component: ComponentType; readonly firstCalls?: FirstCalls };

/** The screen subscribes when it renders; the prefetch itself must not keep the query alive. */
export const withoutSubscription = { subscribe: false } as const;
