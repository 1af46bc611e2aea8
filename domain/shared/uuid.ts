const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Whether it is a uuid, in lower case with dashes. */
export const isUuid = (text: string): boolean => UUID.test(text);

/** Formats 32 hex digits as a uuid. */
export const uuidFrom = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;

/**
 * A uuid of version 8 (RFC 9562: custom bits) from a hash of at least 32 hex digits: the same for the same hash. Version and variant
 * replace six of its bits.
 */
export const uuidFromHash = (hash: string): string => {
  const variant = '89ab'.charAt(Number.parseInt(hash.charAt(16), 16) % 4);
  return uuidFrom(`${hash.slice(0, 12)}8${hash.slice(13, 16)}${variant}${hash.slice(17, 32)}`);
};
