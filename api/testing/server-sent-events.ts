import { expect } from 'vitest';

/** `hears` waits until all these words have arrived, in any order and chunks, and returns everything up to the last of them. */
export type Listening = { hears(...words: readonly string[]): Promise<string>; cancel(): Promise<void> };

/** Opens a stream of server-sent events like a page with these cookies. */
export const listenTo = async (url: string, cookies: string, lastHeard?: string): Promise<Listening> => {
  const headers = { Cookie: cookies, ...(lastHeard !== undefined && { 'Last-Event-ID': lastHeard }) };
  const answer = await fetch(url, { headers });
  expect(answer.headers.get('content-type')).toMatch(/^text\/event-stream/);
  const reader = answer.body?.getReader() ?? expect.fail('nothing to read');
  const decoder = new TextDecoder();
  let text = '';
  const hears: Listening['hears'] = async (...words) => {
    while (!words.every((each) => text.includes(each))) {
      const { value, done } = await reader.read();
      if (done) throw new Error(`The stream ended without ${words.join(' and ')}: ${text}`);
      text += decoder.decode(value, { stream: true });
    }
    const end = Math.max(...words.map((each) => text.indexOf(each) + each.length));
    const heard = text.slice(0, end);
    text = text.slice(end);
    return heard;
  };
  return { hears, cancel: () => reader.cancel() };
};
