import { existsSync } from 'node:fs';

const IMAGE = 'eventstore/eventstore:24.10';
const PORT = 2113;

export type RealEventStoreDb = { readonly connectionString: string; readonly stop: () => Promise<void> };

const isDockerThere = (): boolean => process.env['DOCKER_HOST'] !== undefined || existsSync('/var/run/docker.sock');

const startContainer = async (): Promise<RealEventStoreDb> => {
  // The container that would clean up is an image of its own, which may not be to be had. Who starts this one stops it.
  process.env['TESTCONTAINERS_RYUK_DISABLED'] = 'true';
  const { GenericContainer, Wait } = await import('testcontainers');
  const container = await new GenericContainer(IMAGE)
    .withEnvironment({ EVENTSTORE_INSECURE: 'true', EVENTSTORE_MEM_DB: 'true', EVENTSTORE_CLUSTER_SIZE: '1' })
    .withExposedPorts(PORT)
    .withAutoRemove(true)
    .withWaitStrategy(Wait.forHttp('/health/live', PORT).forStatusCode(204))
    .start();
  return {
    connectionString: `esdb://${container.getHost()}:${container.getMappedPort(PORT)}?tls=false`,
    stop: async () => void (await container.stop()),
  };
};

/**
 * Returns a real EventStoreDB: that of EVENTSTORE_URL, or else a container, until `stop`. Returns undefined, and logs the reason, when there
 * is neither.
 */
export const startRealEventStoreDb = async (): Promise<RealEventStoreDb | undefined> => {
  const named = process.env['EVENTSTORE_URL'];
  if (named) return { connectionString: named, stop: async () => undefined };
  const without = (why: string) => console.log(`There is no real EventStoreDB to test on: EVENTSTORE_URL is not set, and ${why}.`);
  if (!isDockerThere()) return void without('there is no Docker engine');
  return startContainer().catch((error: unknown) => void without(`Docker could not start a container (${String(error)})`));
};
