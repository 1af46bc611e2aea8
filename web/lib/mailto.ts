/** Returns the link by which a mail to this address is begun. Characters are encoded as RFC 6068 requires; the `@` stays as it is. */
export const createMailto = (email: string): string => `mailto:${encodeURIComponent(email).replaceAll('%40', '@')}`;
