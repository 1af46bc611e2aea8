import { describe, expect, test } from 'vitest';

import { START, type Recorded } from '#domain/event-store.ts';

import { Fold } from './fold.ts';
import { defineProjector, rowsTable, streamId } from './define-projector.ts';
import { bottleShop, bottle, broken, filled, labelled, sold, type BottleEvent } from '../testing/bottles.ts';
import { describeProjector } from '../testing/describe-projector.ts';
import { MemoryLog } from '../testing/memory-log.ts';

const recorded = async (log: MemoryLog): Promise<readonly Recorded[]> => log.page(START, 100, ['product']);

describeProjector(
  bottleShop,
  [
    [bottle('rose'), filled('Rose')],
    [bottle('oud'), filled('Oud', 100)],
    [bottle('rose'), labelled('Rose de\t"Mai" \\ №5\r\n'), sold(2_450_00)],
    [bottle('musk'), filled('Musk')],
    [bottle('musk'), broken()],
    [bottle('oud'), sold(9_999_99), sold(9_999_98)],
    [bottle('musk'), filled('White Musk', 30)],
  ],
  {
    bottles: [
      { bottle_id: 'musk', scent: 'White Musk', millilitres: 30, label: null, price: null, position: 9n },
      { bottle_id: 'oud', scent: 'Oud', millilitres: 100, label: null, price: 9_999_98, position: 8n },
      {
        bottle_id: 'rose',
        scent: 'Rose',
        millilitres: 50,
        label: String.raw`{"text":"Rose de\t\"Mai\" \\ №5\r\n"}`,
        price: 2_450_00,
        position: 4n,
      },
    ],
    takings: [
      { day: '2026-11-14', bottles: 3, takings: 22_449_97 },
      { day: '2026-11-15', bottles: -1, takings: 0 },
    ],
  },
);

describe('a projector', () => {
  test('does not compile unless each event of the union has a handler', () => {
    const bottles = rowsTable<{ bottle_id: string }>({ key: 'bottle_id', columns: { bottle_id: 'text' } });
    const broken = defineProjector<BottleEvent>()({
      name: 'broken-bottles',
      version: 1,
      categories: ['product'],
      tables: { bottles },
      // @ts-expect-error the other events have no handler
      on: { BottleBroken: ({ bottles }, { stream }) => bottles.set({ bottle_id: streamId(stream) }) },
    });
    expect(broken.name).toBe('broken-bottles');
  });

  test('skips events of a later release, even one whose type is the name of a property of every object', async () => {
    const log = new MemoryLog();
    log.append(bottle('rose'), filled('Rose'), { type: 'BottleGilded', data: {} }, { type: 'constructor', data: {} });
    const fold = new Fold(bottleShop);
    for (const event of await recorded(log)) fold.apply(event);
    expect(fold.unknown).toBe(2);
    expect(fold.changes('bottles').upserts).toHaveLength(1);
  });
});

describe('a fold', () => {
  test('drops the changes of an event that fails half-way', async () => {
    const log = new MemoryLog();
    log.append(bottle('oud'), filled('Oud'), sold(100));
    log.append(bottle('never-filled'), sold(900));
    const fold = new Fold(bottleShop);
    const [first, second, failing] = await recorded(log);
    if (!first || !second || !failing) throw new Error('three events were appended');
    fold.apply(first);
    fold.apply(second);
    expect(() => fold.apply(failing)).toThrow('There is no bottle to sell');
    expect(fold.changes('takings').upserts).toEqual([{ day: '2026-11-14', bottles: 1, takings: 100 }]);
  });

  test('drops a row that only a failed event has set', async () => {
    const log = new MemoryLog();
    log.append(bottle('oud'), filled('Oud'));
    const fold = new Fold({
      ...bottleShop,
      apply: (tables, event) => {
        bottleShop.apply(tables, event);
        throw new Error('too late');
      },
    });
    for (const event of await recorded(log)) expect(() => fold.apply(event)).toThrow('too late');
    expect(fold.changes('bottles')).toEqual({ upserts: [], deletes: [] });
  });

  test('does not let an event read a row that its keys do not name, even if another event has loaded it', async () => {
    const log = new MemoryLog();
    log.append(bottle('oud'), filled('Oud'));
    log.append(bottle('rose'), labelled('Rose'));
    const fold = new Fold({ ...bottleShop, keys: () => ({ bottles: ['oud'] }) });
    const [oud, rose] = await recorded(log);
    if (!oud || !rose) throw new Error('two events were appended');
    fold.apply(oud);
    expect(() => fold.apply(rose)).toThrow('Key rose was not loaded');
  });
});
