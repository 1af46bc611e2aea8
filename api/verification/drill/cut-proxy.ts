import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { Transform } from 'node:stream';

/** A TCP proxy between a process and its database or event store, with faults. */
export type CutProxy = {
  readonly port: number;
  /** Breaks every connection, also in the middle of a message. New ones are let through. */
  cut(): void;
  /** From now on requests arrive and are executed, and no answer comes back: clients can only time out. */
  mute(): void;
  /** From now on each answer is delayed by this time, in ms, followed events included. */
  slow(milliseconds: number): void;
  /** Answers are no longer delayed. Connections that missed some are broken. */
  mend(): void;
  close(): Promise<void>;
};

/** Forwards bytes to a port of this machine. `target` is called for every connection: a server may restart at another port. */
export const openCutProxy = async (target: () => number): Promise<CutProxy> => {
  const open = new Set<Socket>();
  let isMute = false;
  let lag = 0;

  const keep = (socket: Socket, other: Socket): void => {
    open.add(socket);
    // Either end broke: the other one sees its connection close.
    socket.on('error', () => {});
    socket.once('close', () => {
      open.delete(socket);
      other.destroy();
    });
  };
  /** One after the other, so that answers stay in order. */
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
  // A server that listens on a port has an `AddressInfo`.
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
