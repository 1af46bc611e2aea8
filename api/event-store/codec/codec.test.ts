import { createCipheriv } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { logPosition, NO_STREAM, type StreamName } from '#domain/event-store.ts';
import { instant } from '#domain/shared/time.ts';
import type { PersonalText } from '#domain/shared/text.ts';
import { typed, type Plain } from '#domain/testing/typed.ts';
import { eventCodec, UnreadableEvent } from './codec.ts';
import { SealBroken } from '../encryption/personal-fields.ts';
import type { SchemasOf } from './schemas.ts';
import type { SealedEvent, StoredEvent } from '../stored-event.ts';
import { SubjectErased } from '../encryption/subject-keys.ts';
import { memorySubjectKeys } from '../testing/memory-subject-keys.ts';
import { command, soldOut } from '../testing/writing.ts';

type Address = { name: PersonalText; lines: PersonalText[]; phone: PersonalText; floor: number };
type ParcelEvent =
  | { type: 'ParcelSent'; data: { shopper: string; to: Address; note: PersonalText; grams: number } }
  | { type: 'ParcelWeighed'; data: { weight: { grams: number } } };

/** In this example, a parcel's weight was once stored in kilograms, and later as a bare number of grams. */
const parcelSchemas = {
  ParcelSent: { version: 1, personal: { subject: ({ shopper }) => shopper, fields: { to: true, note: true } } },
  ParcelWeighed: {
    version: 3,
    upcast: {
      1: ({ kilograms }) => ({ grams: Number(kilograms) * 1_000 }),
      2: ({ grams = null }) => ({ weight: { grams } }),
    },
  },
} satisfies SchemasOf<ParcelEvent>;

const now = () => instant('2026-11-14T12:00:00.000Z');
const stream: StreamName = 'order-1';
const sent = typed<Extract<ParcelEvent, { type: 'ParcelSent' }>>({
  type: 'ParcelSent',
  data: {
    shopper: 'meera',
    to: { name: 'Meera Nair', lines: ['4 Rose Lane', ''], phone: '98450 12345', floor: 2 },
    note: 'For Asha',
    grams: 310,
  },
});

const storedAt = (events: readonly SealedEvent[]): StoredEvent[] =>
  events.map((event, index) => ({ ...event, position: logPosition(BigInt(index + 1)) }));

const setUp = () => {
  const keys = memorySubjectKeys();
  const codec = eventCodec({ schemas: parcelSchemas, keys, now });
  const seal = async (event: Plain<ParcelEvent>, on = stream): Promise<SealedEvent> => {
    const { events } = await codec.seal(on, NO_STREAM, [event], command());
    const [sealed] = events;
    if (!sealed) throw new Error('Nothing was sealed');
    return sealed;
  };
  const open = (...events: SealedEvent[]) => codec.open(storedAt(events));
  return { keys, codec, seal, open };
};

describe('a stored event', () => {
  test('has actor, cause, time and version, and ends with the hash', async () => {
    const { codec } = setUp();
    const metadata = command();
    const { events, head } = await codec.seal(stream, NO_STREAM, [{ type: 'ParcelWeighed', data: { weight: { grams: 5 } } }], metadata);
    expect(events[0]?.metadata).toBe(JSON.stringify({ version: 3, ...metadata, recordedAt: now(), hash: head.hash }));
    expect(events[0]?.data).toBe('{"weight":{"grams":5}}');
  });

  test('gets a new id each time it is sealed', async () => {
    const { codec } = setUp();
    const metadata = command();
    const idsOf = async () => (await codec.seal(stream, NO_STREAM, [sent, sent], metadata)).events.map((event) => event.eventId);
    expect(new Set([...(await idsOf()), ...(await idsOf())]).size).toBe(4);
  });

  test('is refused for an unregistered event type, an empty append and an invalid stream name', async () => {
    const { codec } = setUp();
    await expect(codec.seal(stream, NO_STREAM, [soldOut], command())).rejects.toThrow('No schema is registered for ProductSoldOut');
    await expect(codec.seal(stream, NO_STREAM, [], command())).rejects.toThrow('Nothing to append');
    await expect(codec.seal('order-\x1e', NO_STREAM, [sent], command())).rejects.toThrow('Not a stream name');
  });
});

describe('personal fields', () => {
  test('are readable through the codec, and stored only as ciphertext', async () => {
    const { seal, open } = setUp();
    const sealed = await seal(sent);
    expect((await open(sealed))[0]).toMatchObject(sent);
    for (const secret of ['Meera', 'Rose Lane', '98450', 'Asha']) expect(JSON.stringify(sealed)).not.toContain(secret);
    expect(JSON.parse(sealed.data)).toMatchObject({
      shopper: 'meera',
      grams: 310,
      to: { $enc: expect.any(String), $erased: { name: 'erased', lines: ['erased', ''], phone: 'erased', floor: 2 } },
      note: { $enc: expect.any(String) },
    });
  });

  test('are never encrypted to the same bytes twice', async () => {
    const { seal } = setUp();
    expect((await seal(sent)).data).not.toBe((await seal(sent)).data);
  });

  test('read `erased` once their subject was erased, and other fields stay readable', async () => {
    const { keys, seal, open } = setUp();
    const sealed = await seal(sent);
    const other = await seal({ ...sent, data: { ...sent.data, shopper: 'ravi' } });
    await keys.erase('meera');
    const [mine, theirs] = await open(sealed, other);
    const to = { name: 'erased', lines: ['erased', ''], phone: 'erased', floor: 2 };
    expect(mine?.data).toEqual({ shopper: 'meera', to, note: 'erased', grams: 310 });
    expect(theirs?.data).toMatchObject({ to: sent.data.to });
  });

  test('read `erased` if their key was lost and replaced, and fields encrypted with the new key stay readable', async () => {
    const keys = memorySubjectKeys(() => Date.parse(now()) + 1);
    const codec = eventCodec({ schemas: parcelSchemas, keys, now });
    const sealed = async () => (await codec.seal(stream, NO_STREAM, [sent], command())).events;
    const before = await sealed();
    keys.lose('meera');
    const [lost, kept] = await codec.open(storedAt([...before, ...(await sealed())]));
    expect(lost?.data).toEqual({ ...sent.data, to: { name: 'erased', lines: ['erased', ''], phone: 'erased', floor: 2 }, note: 'erased' });
    expect(kept?.data).toEqual(sent.data);
  });

  test('are refused for an erased subject', async () => {
    const { keys, seal } = setUp();
    await keys.erase('meera');
    await expect(seal(sent)).rejects.toThrow(SubjectErased);
  });

  test('need no key if they are empty, and stay empty after an erasure', async () => {
    const { keys, seal, open } = setUp();
    await keys.erase('meera');
    const empty = { ...sent.data, to: { ...sent.data.to, name: '', lines: [], phone: '' }, note: '' };
    const [event] = await open(await seal({ ...sent, data: empty }));
    expect(event?.data).toEqual(empty);
  });

  test('that look like encrypted values are returned unchanged', async () => {
    const { seal, open } = setUp();
    const looking = '"note":{"$enc":"AAAA","$erased":{}}';
    const event = { ...sent, data: { ...sent.data, note: looking, to: { ...sent.data.to, name: looking } } };
    expect((await open(await seal(event)))[0]?.data).toEqual(event.data);
  });

  test('decrypt in the older format, one ciphertext per text', async () => {
    const { keys, seal, open } = setUp();
    const sealed = await seal(sent);
    const cipher = createCipheriv('aes-256-gcm', (await keys.keyFor('meera')).bytes, Buffer.alloc(12, 3));
    cipher.setAAD(Buffer.from('["meera","order-1","to","name"]'));
    const bytes = [Buffer.alloc(12, 3), cipher.update('Meera Nair', 'utf8'), cipher.final(), cipher.getAuthTag()];
    const to = { ...sent.data.to, name: { $enc: Buffer.concat(bytes).toString('base64') } };
    const once = { ...sealed, data: JSON.stringify({ ...JSON.parse(sealed.data), to }) };
    expect((await open(once))[0]?.data).toEqual(sent.data);
    await keys.erase('meera');
    expect((await open(once))[0]?.data).toMatchObject({ to: { ...sent.data.to, name: 'erased' }, note: 'erased' });
  });

  test('do not decrypt for another subject, stream or field', async () => {
    const { seal, open } = setUp();
    const mine = await seal(sent);
    const theirs = await seal({ ...sent, data: { ...sent.data, shopper: 'ravi' } });
    const elsewhere = await seal(sent, 'order-2');
    const { to, note } = JSON.parse(mine.data);
    const swapped = { ...mine, data: JSON.stringify({ ...JSON.parse(mine.data), to: note, note: to }) };
    const reshaped = { ...mine, data: JSON.stringify({ ...JSON.parse(mine.data), to: { ...to, $erased: {} } }) };

    const foreign = await open({ ...theirs, data: mine.data }, { ...elsewhere, data: mine.data }, swapped, reshaped);
    for (const event of foreign) expect(() => event.data).toThrow(SealBroken);
    expect(() => foreign[2]?.data).toThrow('The personal field to of an event of order-1 cannot be decrypted');
  });

  test('do not decrypt after any bit flip', { retry: 0 }, async () => {
    const { seal, open } = setUp();
    const sealed = await seal(sent);
    const data = JSON.parse(sealed.data);
    const bytes = Buffer.from(data.note.$enc, 'base64');
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.nat(7), async (at, bit) => {
        const turned = Buffer.from(bytes);
        turned.writeUInt8(turned.readUInt8(at) ^ (1 << bit), at);
        const [event] = await open({ ...sealed, data: JSON.stringify({ ...data, note: { $enc: turned.toString('base64') } }) });
        expect(() => event?.data).toThrow(SealBroken);
      }),
    );
  });

  test('round-trip for any text', { retry: 0 }, async () => {
    const { seal, open } = setUp();
    const text = fc.string({ unit: 'grapheme' });
    await fc.assert(
      fc.asyncProperty(text, fc.array(text), async (note, lines) => {
        const event: Plain<ParcelEvent> = { ...sent, data: { ...sent.data, note, to: { ...sent.data.to, lines } } };
        expect((await open(await seal(event)))[0]?.data).toEqual(event.data);
      }),
    );
  });
});

describe('events of older and newer releases', () => {
  const weighed = (version: number, data: object): SealedEvent => ({
    stream,
    revision: 0,
    eventId: crypto.randomUUID(),
    type: 'ParcelWeighed',
    data: JSON.stringify(data),
    metadata: JSON.stringify({ version, ...command(), recordedAt: now(), hash: '' }),
  });

  test('are upcast to the current shape', async () => {
    const { open } = setUp();
    const read = await open(weighed(1, { kilograms: 0.31 }), weighed(2, { grams: 310 }), weighed(3, { weight: { grams: 310 } }));
    expect(read.map((event) => event.data)).toEqual([1, 2, 3].map(() => ({ weight: { grams: 310 } })));
    expect(read.map((event) => event.metadata.version)).toEqual([1, 2, 3]);
  });

  test('that are newer or damaged fail only when their data are read, not with the whole page', async () => {
    const { open, seal } = setUp();
    const damaged = { ...(await seal(sent)), data: '{"to":' };
    const [newer, broken, good] = await open(weighed(4, {}), damaged, await seal(sent));
    expect(() => newer?.data).toThrow(UnreadableEvent);
    expect(() => newer?.data).toThrow('version 4 is newer than this program');
    expect(() => broken?.data).toThrow(UnreadableEvent);
    expect(good?.data).toEqual(sent.data);
  });

  test('of an unknown type are passed on unchanged', async () => {
    const { open } = setUp();
    const [event] = await open({ ...weighed(1, { any: 'thing' }), type: 'ParcelPraised' });
    expect(event).toMatchObject({ type: 'ParcelPraised', data: { any: 'thing' } });
  });
});
