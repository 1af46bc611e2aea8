import { call, getContext, select, type CallEffect, type GetContextEffect, type SelectEffect } from 'redux-saga/effects';
import type { Api } from './http/api.ts';
import type { Tab } from './tab.ts';

/** What sagas need of the outside world. The store passes it as saga context; tests pass their own. */
export type Services = {
  readonly api: Api;
  readonly navigate: (to: string) => void | Promise<void>;
  /** Undefined where there is but one tab, in most tests. */
  readonly tab?: Tab;
};

/** `const { api } = yield* services()` */
export function* services(): Generator<GetContextEffect, Services, Services> {
  return yield getContext('services');
}

/** A typed `call`: `const order = yield* run(() => placeOrder(id))`. */
export function* run<Answer>(work: () => Promise<Answer>): Generator<CallEffect<Answer>, Answer, Answer> {
  return yield call(work);
}

/** A typed `select`: `const next = yield* read(selectNextStep)`. */
export function* read<State, Selected>(selector: (state: State) => Selected): Generator<SelectEffect, Selected, Selected> {
  return yield select(selector);
}
