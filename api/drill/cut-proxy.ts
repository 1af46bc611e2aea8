import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A wire between a process and its database that can be cut. */
export type CutProxy = {
  readonly port: number;
  /** Breaks every connection in the middle of whatever it carries. New ones are let through. */
  cut(): number;
  close(): Promise<void>;
};

/** Passes bytes to a port of this machine. `target` is asked for every connection: a server may come back on another port. */
export const openCutProxy = async (target: () => number): Promise<CutProxy> => {
  const open = new Set<Socket>();
  const keep = (socket: Socket, other: Socket): void => {
    open.add(socket);
    // Either end broke: the other one is told by the end of its connection.
    socket.on('error', () => {});
    socket.once('close', () => {
      open.delete(socket);
      other.destroy();
    });
  };
  const server = createServer((near) => {
    const far = connect(target(), '127.0.0.1');
    keep(near, far);
    keep(far, near);
    near.pipe(far).pipe(near);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on a port, not on a pipe, has an address.
  const { port } = server.address() as AddressInfo;
  const cut = (): number => {
    const count = open.size / 2;
    for (const socket of open) socket.resetAndDestroy();
    return Math.ceil(count);
  };
  return {
    port,
    cut,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      cut();
      await closed;
    },
  };
};
