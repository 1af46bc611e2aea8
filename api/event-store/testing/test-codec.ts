import { instant } from '#domain/shared/time.ts';
import { eventCodec, type EventCodec } from '../codec/codec.ts';
import { schemas } from '../codec/schemas.ts';
import { memorySubjectKeys } from './memory-subject-keys.ts';

export const shopCodec = (): EventCodec => eventCodec({ schemas, keys: memorySubjectKeys(), now: () => instant(new Date().toISOString()) });
