import { instant } from '#domain/shared/time.ts';

import { eventCodec, type EventCodec } from '../codec/codec.ts';
import { schemas } from '../codec/schemas.ts';
import type { SubjectKeys } from '../encryption/subject-keys.ts';

const later = {
  CartGiftWrapped: { version: 1 },
  OrderEngraved: { version: 1 },
  ProductDrafted: { version: 1 },
  ProductEngraved: { version: 1 },
};

/** Makes the codec of a later release, which writes events that this release does not know. */
export const codecOfLaterRelease = (keys: SubjectKeys): EventCodec =>
  eventCodec({ schemas: { ...schemas, ...later }, keys, now: () => instant(new Date().toISOString()) });
