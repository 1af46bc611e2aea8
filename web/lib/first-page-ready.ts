let isReady = false;
let announce: () => void = () => {};

/** Resolves when the first page has mounted and has sent its own first requests. */
export const firstPageReady: Promise<void> = new Promise((resolve) => (announce = resolve));

export const isFirstPageReady = (): boolean => isReady;

export const announceFirstPageReady = (): void => {
  isReady = true;
  announce();
};
