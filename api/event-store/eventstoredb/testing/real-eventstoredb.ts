import { existsSync } from 'node:fs';

const IMAGE = 'eventstore/eventstore:24.10';
const PORT = 2113;

const isDockerThere = (): boolean => process.env['DOCKER_HOST'] !== undefined || existsSync('/var/run/docker.sock');

const startContainer = async (): Promise<string> => {
  const { GenericContainer, Wait } = await import('testcontainers');
  const container = await new GenericContainer(IMAGE)
    .withEnvironment({ EVENTSTORE_INSECURE: 'true', EVENTSTORE_MEM_DB: 'true', EVENTSTORE_CLUSTER_SIZE: '1' })
    .withExposedPorts(PORT)
    .withWaitStrategy(Wait.forHttp('/health/live', PORT).forStatusCode(204))
    .start();
  return `esdb://${container.getHost()}:${container.getMappedPort(PORT)}?tls=false`;
};

/**
 * Returns the connection string of a real EventStoreDB: EVENTSTORE_URL, or else a container for this run. Returns undefined, and logs the
 * reason, when there is neither.
 */
export const realEventStoreDb = async (): Promise<string | undefined> => {
  const named = process.env['EVENTSTORE_URL'];
  if (named) return named;
  const without = (why: string) => console.log(`EventStoreDB is tested with its double only: EVENTSTORE_URL is not set, and ${why}.`);
  if (!isDockerThere()) return void without('there is no Docker engine');
  return startContainer().catch((error: unknown) => void without(`Docker could not start a container (${String(error)})`));
};
