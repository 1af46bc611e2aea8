const listeners = new Set<() => void>();

export const announceUnauthorised = (): void => listeners.forEach((listener) => listener());

export const onUnauthorised = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
