import { describe, expect, test } from 'vitest';

import { personalText } from '../shared/text.ts';
import { instant } from '../shared/time.ts';
import { testDecisions } from '../testing/decisions.ts';
import { laterEvent } from '../testing/later-release.ts';
import type { MessageEvent, WriterId } from './events.ts';
import { message, type AnswerMessage } from './message.ts';

const now = instant('2026-11-14T12:00:00.000Z');
const writer = 'address-1' as WriterId;
const answered: MessageEvent = { type: 'MessageAnswered', data: { writer, text: personalText('It is.'), answeredAt: now } };
const answer = (again = false): AnswerMessage => ({ type: 'AnswerMessage', writer, text: 'It is.', again, now });

describe('a message', () =>
  testDecisions(message, [
    ['is answered', [], answer(), [answered]],
    ['is answered once', [answered], answer(), { code: 'message_answered' }],
    ['is answered again if that is meant', [answered], answer(true), [answered]],
  ]));

test('an event of a later release changes nothing', () =>
  expect(message.evolve(message.initial, laterEvent('MessageClosed'))).toEqual(message.initial));
