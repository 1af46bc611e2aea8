import type { Brand } from '../shared/ids.ts';
import type { PersonalText } from '../shared/text.ts';
import type { Instant } from '../shared/time.ts';

/** Names the person of an e-mail address without showing the address; the key of their texts is stored under it. */
export type WriterId = Brand<string, 'WriterId'>;

/**
 * The `text` is encrypted with the key of the `writer`, who wrote the message.
 *
 * Events are stored for ever: a field may be added as optional, but never renamed or retyped.
 */
export type MessageEvent = { type: 'MessageAnswered'; data: { writer: WriterId; text: PersonalText; answeredAt: Instant } };
