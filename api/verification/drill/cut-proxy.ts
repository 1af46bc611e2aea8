import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { Transform } from 'node:stream';

/** A TCP proxy in front of a database or event store, with faults. */
export type CutProxy = {
  readonly port: number;
  /** Breaks every connection, also within a message. New ones work. */
  cut(): void;
  /** Requests are still executed, but no answer comes back. */
  mute(): void;
  /** Delays each answer by this time, in ms. */
  slow(milliseconds: number): void;
  /** Ends delays. Connections that missed answers are broken. */
  mend(): void;
  close(): Promise<void>;
};

/** `target` is called for every connection: a server may restart at another port. */
export const openCutProxy = async (target: () => number): Promise<CutProxy> => {
  const open = new Set<Socket>();
  let isMute = false;
  let lag = 0;

  const keep = (socket: Socket, other: Socket): void => {
    open.add(socket);
    // The other end sees its connection close.
    socket.on('error', () => {});
    socket.once('close', () => {
      open.delete(socket);
      other.destroy();
    });
  };
  /** In turn, so that answers stay in order. */
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
