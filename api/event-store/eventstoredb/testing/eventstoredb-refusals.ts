import { Metadata, status } from '@grpc/grpc-js';

/** A refusal has the code, text and trailers from which the client makes an error. */
export type RefusalOfServer = { readonly code: status; readonly details: string; readonly metadata: Metadata };

const refusal = (code: status, details: string, trailers: Readonly<Record<string, string>> = {}): RefusalOfServer => {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(trailers)) metadata.set(name, value);
  return { code, details, metadata };
};

/** The server's default limit is this many bytes. */
export const MAX_APPEND = 1_048_576;

export const notLeader = ({ hostname, port }: URL): RefusalOfServer =>
  refusal(status.NOT_FOUND, 'Leader info available', {
    exception: 'not-leader',
    'leader-endpoint-host': hostname,
    'leader-endpoint-port': port,
  });

export type ServerVersion = '23.10' | '24.10';

/** No valid record begins at the given position; the error differs between versions. */
export const invalidPosition = (isSubscription: boolean, version: ServerVersion): RefusalOfServer => {
  if (version === '23.10')
    return refusal(status.UNKNOWN, isSubscription ? 'Exception was thrown by handler.' : 'Unexpected ReadAllResult: Error');
  return isSubscription
    ? refusal(status.INVALID_ARGUMENT, 'Trying to read from an invalid position.')
    : refusal(status.UNKNOWN, 'Unexpected ReadAllResult: InvalidPosition');
};

export const streamDeleted = (name: string): RefusalOfServer =>
  refusal(status.FAILED_PRECONDITION, `Event stream '${name}' is deleted.`, { exception: 'stream-deleted', 'stream-name': name });

export const appendTooLarge = (): RefusalOfServer =>
  refusal(status.INVALID_ARGUMENT, `Maximum Append Size of ${MAX_APPEND} Exceeded.`, {
    exception: 'maximum-append-size-exceeded',
    'maximum-append-size': String(MAX_APPEND),
  });
