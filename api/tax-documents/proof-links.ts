import { deflateRawSync } from 'node:zlib';

import type { Recorded } from '#domain/event-store.ts';
import type { Instant } from '#domain/shared/time.ts';
import { systemClock, type Clock } from '#projections/follower/clock.ts';
import { verifyPath } from '#domain/site/pages.ts';

import type { ShopDatabase } from '../platform/postgres/shop-tables.ts';
import { formatLeaf } from '../transparency/leaf.ts';
import { hashLeaf, type Hash } from '../transparency/merkle-tree.ts';
import type { Receipts } from '../transparency/receipts.ts';
import { formatTlogProof, type TlogProof } from '../transparency/tlog-proof.ts';

/** A QR code of more characters could not be read on paper. */
const MAX_LINK = 2_000;
/** A new document is proved within two seconds, unless witnesses are away. */
const MAX_WAIT_MS = 10_000;
const POLL_INTERVAL_MS = 500;
/** So many calls wait at once in a process. */
const MAX_WAITING = 1_000;

/** The place of a tax document's event in the log. */
type Place = Pick<Recorded, 'stream' | 'revision' | 'position' | 'metadata'>;

/** The event's leaf, but with the name of its stream, which says the document's number. */
const nameLeaf = ({ stream, revision, metadata }: Place): Buffer =>
  Buffer.from(`ruhani-event/1\n${stream}\n${revision}\n${metadata.hash}\n`);

/** Leaves out the cosignature that was added last, or returns undefined when only those of the quorum are left. */
const withoutLastCosignature = (checkpoint: string, quorum: number): string | undefined => {
  const signatures = checkpoint.slice(checkpoint.lastIndexOf('\n\n') + 2, -1).split('\n');
  // The first signature is the log's own.
  if (signatures.length - 1 <= quorum) return undefined;
  return checkpoint.slice(0, checkpoint.lastIndexOf('\n', checkpoint.length - 2) + 1);
};

/** Makes the link to the page that verifies this proof. Returns undefined if it would be too long with as many witnesses as the quorum. */
export const formatProofLink = (publicUrl: string, proof: TlogProof, quorum: number): string | undefined => {
  const packed = deflateRawSync(formatTlogProof(proof), { level: 9 }).toString('base64url');
  const link = `${publicUrl}${verifyPath}#${packed}`;
  if (link.length <= MAX_LINK) return link;
  const checkpoint = withoutLastCosignature(proof.checkpoint, quorum);
  return checkpoint && formatProofLink(publicUrl, { ...proof, checkpoint }, quorum);
};

type ProofLinksDeps = {
  readonly db: ShopDatabase;
  readonly receipts: Pick<Receipts, 'proveLeaf'>;
  readonly publicUrl: string;
  /** A link keeps so many cosignatures. */
  readonly quorum: number;
  readonly now: () => Instant;
  readonly clock?: Clock;
};

/** Finds the link with the proof of an invoice or credit note. It is made once and kept, so that a PDF never changes. */
export const createProofLinks = ({ db, receipts, publicUrl, quorum, now, clock = systemClock }: ProofLinksDeps) => {
  let waiting = 0;

  const findKept = async (leaf: Hash): Promise<string | undefined> =>
    (await db.selectFrom('tax_document_proofs').select('link').where('leaf', '=', leaf).executeTakeFirst())?.link;

  /** Returns undefined while the document's event is not in the published tree of the log. */
  const find = async (document: Place): Promise<string | undefined> => {
    const { stream, revision, position, metadata } = document;
    const text = formatLeaf(stream, revision, metadata.hash);
    const leaf = hashLeaf(Buffer.from(text));
    const kept = await findKept(leaf);
    if (kept !== undefined) return kept;
    const proof = await receipts.proveLeaf(text, position);
    const link = proof && formatProofLink(publicUrl, { ...proof, extra: nameLeaf(document) }, quorum);
    if (link === undefined) return undefined;
    await db
      .insertInto('tax_document_proofs')
      .values({ leaf, link })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    // Another process may have kept one first.
    return findKept(leaf);
  };

  const poll = async (document: Place, milliseconds: number): Promise<string | undefined> => {
    const deadline = clock.now() + milliseconds;
    for (;;) {
      const link = await find(document);
      if (link !== undefined || clock.now() >= deadline) return link;
      await clock.sleep(POLL_INTERVAL_MS);
    }
  };

  return {
    find,

    /** Waits for the link until the document was recorded 10 s ago. When 1,000 calls wait, further ones do not. */
    waitFor: async (document: Place): Promise<string | undefined> => {
      const age = Date.parse(now()) - Date.parse(document.metadata.recordedAt);
      // The clock of the process that recorded it may be ahead.
      const milliseconds = Math.min(MAX_WAIT_MS, MAX_WAIT_MS - age);
      if (milliseconds <= 0 || waiting >= MAX_WAITING) return find(document);
      waiting += 1;
      return poll(document, milliseconds).finally(() => (waiting -= 1));
    },
  };
};

export type ProofLinks = ReturnType<typeof createProofLinks>;
