import { expect } from 'vitest';

import { parseTlogProof } from '#domain/receipt/receipt-format.ts';
import { verifyReceipt } from '#domain/receipt/receipt.ts';

import type { StoredEvent } from '../../event-store/stored-event.ts';
import { hashLeaf, hashNode, EMPTY_ROOT, type Hash } from '../merkle-tree.ts';
import { parseSignedCheckpoint, type SignedCheckpoint } from '../log-key.ts';
import { nodePlatform } from '../node-platform.ts';
import { parseNote, parseVkey, verifyNote } from '../signed-note.ts';
import { formatTilePath, TILE_WIDTH } from '../tiles.ts';

export const parseEntryBundle = (bundle: Buffer): readonly Buffer[] => {
  const entries: Buffer[] = [];
  for (let at = 0; at < bundle.length;) {
    const end = at + 2 + bundle.readUInt16BE(at);
    entries.push(bundle.subarray(at + 2, end));
    at = end;
  }
  return entries;
};

/** The log of a shop as anybody sees it. `url` is that of the log: `…/log`. */
export const publicLogAt = (url: string) => {
  const read = async (path: string): Promise<Buffer> => {
    const answer = await fetch(`${url}/${path}`);
    expect(`${path}: ${answer.status}`).toBe(`${path}: 200`);
    return Buffer.from(await answer.arrayBuffer());
  };
  const readVkeys = async (): Promise<string[]> => (await read('key')).toString().trimEnd().split('\n');

  /** Returns the checkpoint, after its signature was verified with the log's key of its origin. */
  const readCheckpoint = async (): Promise<SignedCheckpoint> => {
    const note = (await read('checkpoint')).toString();
    const checkpoint = parseSignedCheckpoint(note);
    const key = (await readVkeys()).map(parseVkey).find(({ name }) => name === checkpoint.origin);
    expect(key && verifyNote(parseNote(note), key)).toEqual({});
    return checkpoint;
  };

  /** Returns the status of a path, without its content. */
  const statusOf = async (path: string): Promise<number> => (await fetch(`${url}/${path}`)).status;

  const readEntries = async (size: number): Promise<readonly Buffer[]> => {
    const entries: Buffer[] = [];
    for (let first = 0; first < size; first += TILE_WIDTH) {
      const place = { level: 'entries' as const, index: first / TILE_WIDTH, width: Math.min(TILE_WIDTH, size - first) };
      entries.push(...parseEntryBundle(await read(`tile/${formatTilePath(place)}`)));
    }
    return entries;
  };

  return { read, readVkeys, readCheckpoint, readEntries, statusOf };
};

/** Computes the root as RFC 6962 defines it, in another way than the shop: from all leaves. */
export const rootOf = (entries: readonly Uint8Array[]): Hash => {
  const [only] = entries;
  if (!only) return EMPTY_ROOT;
  if (entries.length === 1) return hashLeaf(only);
  let split = 1;
  while (split * 2 < entries.length) split *= 2;
  return hashNode(rootOf(entries.slice(0, split)), rootOf(entries.slice(split)));
};

/** Verifies a receipt of an order with the vkeys of the log. Returns its events; throws if it proves nothing. */
export const checkReceipt = (receipt: string, vkeys: readonly string[]): readonly Omit<StoredEvent, 'position'>[] => {
  const verdict = verifyReceipt(Buffer.from(receipt), { logs: vkeys, witnesses: [], quorum: 0 }, nodePlatform);
  expect(verdict).toMatchObject({ proved: true });
  const lines = String(Buffer.from(parseTlogProof(receipt).extra))
    .trimEnd()
    .split('\n');
  return lines.map((line) => JSON.parse(line));
};
