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

/** The codec of a later release: it writes events unknown to this one. */
export const codecOfLaterRelease = (keys: SubjectKeys): EventCodec =>
  eventCodec({ schemas: { ...schemas, ...later }, keys, now: () => instant(new Date().toISOString()) });
