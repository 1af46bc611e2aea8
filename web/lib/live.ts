/** A connection for server-sent events. The browser reopens it when it breaks, but not after an error response. */
export type LiveConnection = Pick<EventSource, 'readyState' | 'close'> & {
  addEventListener(event: string, hear: (message: MessageEvent<string>) => void): void;
};

export const CLOSED = 2;

export const openLive = (path: string): LiveConnection => new EventSource(`/api${path}`);
