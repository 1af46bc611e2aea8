const listeners = new Set<() => void>();

/** A call was refused with 401. */
export const announceUnauthorised = (): void => listeners.forEach((listener) => listener());

export const onUnauthorised = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
