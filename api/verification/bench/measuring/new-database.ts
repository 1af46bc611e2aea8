import pg from 'pg';

/** On the server of `connectionString`; dropped afterwards. */
export const onNewDatabase = async <Result>(
  connectionString: string,
  work: (connectionString: string) => Promise<Result>,
): Promise<Result> => {
  const database = `bench_${Date.now()}`;
  const server = new pg.Client({ connectionString });
  await server.connect();
  await server.query(`create database ${database}`);
  const url = new URL(connectionString);
  url.pathname = `/${database}`;
  try {
    return await work(url.href);
  } finally {
    await server.query(`drop database ${database} with (force)`);
    await server.end();
  }
};
