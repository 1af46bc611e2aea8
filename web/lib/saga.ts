import { call, getContext, select, type CallEffect, type GetContextEffect, type SelectEffect } from 'redux-saga/effects';
import type { Api } from './http/api.ts';
import type { Tab } from './tab.ts';

/** Sagas reach the outside world through these services. The store passes them as saga context; tests pass their own. */
export type Services = {
  readonly api: Api;
  readonly navigate: (to: string) => void | Promise<void>;
  /** Most tests have a single tab and leave this undefined. */
  readonly tab?: Tab;
};

/** Returns the services: `const { api } = yield* services()`. */
export function* services(): Generator<GetContextEffect, Services, Services> {
  return yield getContext('services');
}

/** Works like `call` but is typed: `const order = yield* run(() => placeOrder(id))`. */
export function* run<Answer>(work: () => Promise<Answer>): Generator<CallEffect<Answer>, Answer, Answer> {
  return yield call(work);
}

/** Works like `select` but is typed: `const next = yield* read(selectNextStep)`. */
export function* read<State, Selected>(selector: (state: State) => Selected): Generator<SelectEffect, Selected, Selected> {
  return yield select(selector);
}
