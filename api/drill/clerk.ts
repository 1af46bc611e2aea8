import { setTimeout as pause } from 'node:timers/promises';

import { nextForStaff } from '#domain/order/status.ts';
import type { OrderView } from '#domain/order/view.ts';

import type { Chance } from './chance.ts';
import type { Witnessed } from './shopper.ts';
import type { Visitor } from './visitor.ts';

export const CLERK = { email: 'clerk@ruhani.example', password: 'the keys of the drill' };

/** Between two orders, and after being refused at the door, in ms. */
const PAUSE = 200;

type Parts = { readonly at: Visitor; readonly chance: Chance; readonly witnessed: Witnessed; readonly until: AbortSignal };

const signIn = async ({ at, until }: Parts): Promise<void> => {
  while (!until.aborted) {
    const told = await at.ask('POST', '/api/user/login', CLERK);
    if (told !== 'unknown' && told.status === 200) return;
    await pause(PAUSE);
  }
};

/** Takes an order one step on, as the shop's staff do, perhaps from a page that is stale. */
const moveOne = async ({ at, chance, witnessed }: Parts): Promise<void> => {
  const [first, ...others] = [...witnessed.placed.keys()];
  if (first === undefined) return;
  const id = chance.oneOf([first, ...others]);
  const seen = await at.ask('GET', `/api/order/get-order/${id}`);
  if (seen === 'unknown' || seen.status !== 200) return;
  const [next] = nextForStaff((seen.body as OrderView).status);
  if (next === undefined) return;
  const told = await at.ask('PUT', `/api/admin/order/${id}/status`, { status: next });
  if (told !== 'unknown' && told.status === 200) witnessed.moved.push({ id, status: next });
};

/** Works in the back office until told to stop. */
export const clerkUntil = async (parts: Parts): Promise<void> => {
  await signIn(parts);
  while (!parts.until.aborted) {
    await moveOne(parts);
    await pause(PAUSE);
  }
};
