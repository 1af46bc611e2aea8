import type { LiveConnection } from '../lib/live.ts';

/** A connection for server-sent events whose messages the test pushes. */
export class FakeLive implements LiveConnection {
  static latest: FakeLive | undefined;
  readyState = 0;
  private readonly listeners: { event: string; hear: (message: MessageEvent<string>) => void }[] = [];
  constructor() {
    FakeLive.latest = this;
  }
  addEventListener(event: string, hear: (message: MessageEvent<string>) => void) {
    this.listeners.push({ event, hear });
  }
  push(event: string, data: unknown = {}) {
    const message = new MessageEvent(event, { data: JSON.stringify(data) });
    for (const listener of this.listeners) if (listener.event === event) listener.hear(message);
  }
  close() {
    this.readyState = 2;
  }
}
