let announce: () => void = () => {};

/** Resolves when the first page has mounted and has sent its own first requests. */
export const firstPageReady: Promise<void> = new Promise((resolve) => (announce = resolve));

export const announceFirstPageReady = (): void => announce();
