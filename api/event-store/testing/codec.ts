import { instant } from '#domain/shared/time.ts';
import { eventCodec, type EventCodec } from '../codec.ts';
import { schemas } from '../schemas.ts';
import { memorySubjectKeys } from './memory-subject-keys.ts';

/** The shop's codec with the real clock and keys of its own. */
export const shopCodec = (): EventCodec => eventCodec({ schemas, keys: memorySubjectKeys(), now: () => instant(new Date().toISOString()) });
