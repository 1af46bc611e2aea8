import { convertToCommandError, NotLeaderError } from '@eventstore/db-client';

/** Scheme and credentials, hosts, options. */
const PARTS = /^([^:]+:\/\/(?:[^@/?]*@)?)([^/?]*)(.*)$/;

const withPort = (host: string): string => (host.includes(':') ? host : `${host}:2113`);

/** The leader that a node names when it refuses a call as a follower. */
export const leaderIn = (error: unknown): string | undefined => {
  const refusal = error instanceof Error ? convertToCommandError(error) : undefined;
  return refusal instanceof NotLeaderError ? `${refusal.leader.address}:${refusal.leader.port}` : undefined;
};

/**
 * The nodes of a cluster, asked one after the other until one answers. Their gossip is not used: for seconds it still names a leader that
 * says nothing any more, and is then asked over and over. A name to discover nodes by counts as one node.
 */
export const nodesIn = (connectionString: string) => {
  const [, scheme = '', hosts = '', options = ''] = PARTS.exec(connectionString) ?? [];
  let queue = scheme.startsWith('esdb+discover') ? [hosts] : hosts.split(',').map(withPort);
  /** Of nodes that did not answer: how many others may name each as the leader before it is asked again. */
  const passes = new Map<string, number>();

  return {
    count: queue.length,
    first: queue[0] ?? '',
    connectionStringOf: (node: string): string => `${scheme}${node}${options}`,
    answered: (node: string): void => void passes.delete(node),
    /** The node to ask after one that named this leader, or that did not answer. */
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
