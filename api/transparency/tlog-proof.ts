import type { Hash } from './merkle-tree.ts';

/** `proof` shows that the leaf at `index` is in the tree of `checkpoint`, a signed note. `extra` says what the leaf is made of. */
export type TlogProof = { readonly extra?: Buffer; readonly index: number; readonly proof: readonly Hash[]; readonly checkpoint: string };

const HEADER = 'c2sp.org/tlog-proof@v1';

export const formatTlogProof = ({ extra, index, proof, checkpoint }: TlogProof): string => {
  const lines = [
    HEADER,
    ...(extra ? [`extra ${extra.toString('base64')}`] : []),
    `index ${index}`,
    ...proof.map((each) => each.toString('base64')),
  ];
  return `${lines.join('\n')}\n\n${checkpoint}`;
};
