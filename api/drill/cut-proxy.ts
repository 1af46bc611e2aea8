import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { Transform } from 'node:stream';

/** A wire between a process and its database, which is its event store too. */
export type CutProxy = {
  readonly port: number;
  /** Breaks every connection in the middle of whatever it carries. New ones are let through. */
  cut(): void;
  /** From now on what is asked arrives and is done, and no answer comes back: whoever asks can only give up waiting. */
  mute(): void;
  /** From now on each answer takes so long to come back, in ms; so do the events that are followed. */
  slow(milliseconds: number): void;
  /** Answers come back at once. Connections that missed some are broken. */
  mend(): void;
  close(): Promise<void>;
};

/** Passes bytes to a port of this machine. `target` is asked for every connection: a server may come back on another port. */
export const openCutProxy = async (target: () => number): Promise<CutProxy> => {
  const open = new Set<Socket>();
  let isMute = false;
  let lag = 0;

  const keep = (socket: Socket, other: Socket): void => {
    open.add(socket);
    // Either end broke: the other one is told by the end of its connection.
    socket.on('error', () => {});
    socket.once('close', () => {
      open.delete(socket);
      other.destroy();
    });
  };
  /** One after the other, so that answers stay in their order. */
  const answers = (): Transform =>
    new Transform({
      transform: (chunk: Buffer, _, pass) => {
        if (isMute) pass();
        else if (lag === 0) pass(null, chunk);
        else setTimeout(pass, lag, null, chunk);
      },
    });
  const server = createServer((near) => {
    const far = connect(target(), '127.0.0.1');
    keep(near, far);
    keep(far, near);
    near.pipe(far).pipe(answers()).pipe(near);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on a port, not on a pipe, has an address.
  const { port } = server.address() as AddressInfo;
  const cut = (): void => {
    for (const socket of open) socket.resetAndDestroy();
  };
  return {
    port,
    cut,
    mute: () => (isMute = true),
    slow: (milliseconds) => (lag = milliseconds),
    mend: () => {
      lag = 0;
      if (isMute) cut();
      isMute = false;
    },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      cut();
      await closed;
    },
  };
};
