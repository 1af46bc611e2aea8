/** The body of an answer as the text that is sent, null when it has none; undefined when it is streamed. */
export const bodyText = (body: unknown): string | null | undefined => {
  if (body === null || body === undefined) return null;
  if (typeof body === 'string') return body;
  if (Buffer.isBuffer(body)) return body.toString();
  return typeof body === 'object' && !('pipe' in body) && !('getReader' in body) ? JSON.stringify(body) : undefined;
};
