import { call, getContext, select, type CallEffect, type GetContextEffect, type SelectEffect } from 'redux-saga/effects';
import type { Api } from './http/api.ts';

/** All that a saga reaches of the outside world. The store hands it over as saga context; a test passes its own. */
export type Services = { readonly api: Api; readonly navigate: (to: string) => void | Promise<void> };

/** `const { api } = yield* services()` */
export function* services(): Generator<GetContextEffect, Services, Services> {
  return yield getContext('services');
}

/** `call`, but it keeps the type of the answer: `const order = yield* run(() => placeOrder(id))`. */
export function* run<Answer>(work: () => Promise<Answer>): Generator<CallEffect<Answer>, Answer, Answer> {
  return yield call(work);
}

/** `select`, but it keeps the type of what is selected: `const next = yield* read(selectNextStep)`. */
export function* read<State, Selected>(selector: (state: State) => Selected): Generator<SelectEffect, Selected, Selected> {
  return yield select(selector);
}
