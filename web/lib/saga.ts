import type { AxiosInstance } from 'axios';
import { call, getContext, type CallEffect, type GetContextEffect } from 'redux-saga/effects';

/** All that a saga reaches of the outside world. The store hands it over as saga context; a test passes its own. */
export type Services = { readonly api: AxiosInstance; readonly navigate: (to: string) => void | Promise<void> };

/** `const { api } = yield* services()` */
export function* services(): Generator<GetContextEffect, Services, Services> {
  return yield getContext('services');
}

/** `call`, but it keeps the type of the answer: `const order = yield* run(() => placeOrder(id))`. */
export function* run<Answer>(work: () => Promise<Answer>): Generator<CallEffect<Answer>, Answer, Answer> {
  return yield call(work);
}
