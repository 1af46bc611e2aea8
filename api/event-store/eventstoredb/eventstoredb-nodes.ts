import { convertToCommandError, NotLeaderError } from '@eventstore/db-client';

/** Splits a connection string into scheme and credentials, hosts, and options. */
const PARTS = /^([^:]+:\/\/(?:[^@/?]*@)?)([^/?]*)(.*)$/;

const withPort = (host: string): string => (host.includes(':') ? host : `${host}:2113`);

/** Returns the leader that a node names when it refuses a call as a follower. */
export const findLeader = (error: unknown): string | undefined => {
  const refusal = error instanceof Error ? convertToCommandError(error) : undefined;
  return refusal instanceof NotLeaderError ? `${refusal.leader.address}:${refusal.leader.port}` : undefined;
};

/**
 * Chooses the nodes of a cluster one after the other until one answers. Their gossip is not used: for seconds it still names a leader that
 * does not respond, which would then be called over and over. A name for discovery counts as one node.
 */
export const createNodes = (connectionString: string) => {
  const [, scheme = '', hosts = '', options = ''] = PARTS.exec(connectionString) ?? [];
  let queue = scheme.startsWith('esdb+discover') ? [hosts] : hosts.split(',').map(withPort);
  /** For each node that did not answer, the map says how many other nodes may name it as the leader before it is called again. */
  const passes = new Map<string, number>();

  return {
    count: queue.length,
    first: queue[0] ?? '',
    connectionStringOf: (node: string): string => `${scheme}${node}${options}`,
    answered: (node: string): void => void passes.delete(node),
    /** Returns the node to call after one that named this leader, or that did not answer. */
    after: (node: string, leader: string | undefined): string => {
      if (queue.includes(node)) queue = [...queue.filter((each) => each !== node), node];
      const [next = node] = queue;
      const passed = leader ?? node;
      const left = leader === undefined ? queue.length : (passes.get(leader) ?? 0);
      if (left === 0) return passed;
      passes.set(passed, leader === undefined ? left : left - 1);
      return next;
    },
  };
};
