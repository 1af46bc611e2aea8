let announce: () => void = () => {};

/** Settles when the first page is drawn and has asked for what it needs itself. */
export const firstPageReady: Promise<void> = new Promise((resolve) => (announce = resolve));

export const announceFirstPageReady = (): void => announce();
