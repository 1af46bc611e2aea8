import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** Opens a mail server that can accept a mail and crash before it confirms, so that the sender cannot know whether the mail arrived. */
export const openDyingMailServer = async () => {
  const arrived = new Map<string, number>();
  let dies = false;
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 500,
    onData: (stream, _, done) => {
      let head = '';
      stream.on('data', (chunk: Buffer) => (head.length < 8_000 ? (head += chunk.toString('latin1')) : head));
      stream.once('end', () => {
        const id = /^Message-ID: *(\S+)/im.exec(head)?.[1] ?? '';
        arrived.set(id, (arrived.get(id) ?? 0) + 1);
        if (!dies) return done();
        dies = false;
        for (const connection of server.connections) connection.close();
      });
    },
  });
  // Broken connections are intended.
  server.on('error', () => {});
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    /** The number of times that each mail arrived, by Message-ID. */
    arrived,
    dieWithNext: () => (dies = true),
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
};
