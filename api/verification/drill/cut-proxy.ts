import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { Transform } from 'node:stream';

/**
 * Opens a TCP proxy in front of a database or event store, which can inject faults. `target` is called for every connection, because a
 * server may restart on another port.
 */
export const openCutProxy = async (target: () => number) => {
  const open = new Set<Socket>();
  let isMute = false;
  let lag = 0;

  const keep = (socket: Socket, other: Socket): void => {
    open.add(socket);
    // After an error the socket closes, and `close` destroys the other end.
    socket.on('error', () => {});
    socket.once('close', () => {
      open.delete(socket);
      other.destroy();
    });
  };
  /** Forwards answers one after the other, so that they stay in order. */
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
    /** Breaks every connection, even within a message. New connections work. */
    cut,
    /** Drops all answers, while requests are still executed. */
    mute: () => (isMute = true),
    /** Delays each answer by this number of ms. */
    slow: (milliseconds: number) => (lag = milliseconds),
    /** Ends delays and breaks connections that missed answers. */
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

export type CutProxy = Readonly<Awaited<ReturnType<typeof openCutProxy>>>;
