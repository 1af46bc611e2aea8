export const KEPT_CHECKOUT = 'checkout';

/** Reads a value from sessionStorage. It returns null when storage is blocked or the JSON is invalid. */
export const readSession = (name: string): unknown => {
  try {
    return JSON.parse(sessionStorage.getItem(name) ?? 'null');
  } catch {
    // The storage is blocked, or another script wrote the value.
    return null;
  }
};

/** Writes a value; `undefined` removes it. When the storage is full or blocked nothing is written, and a reload loses the value. */
export const writeSession = (name: string, value: unknown): void => {
  try {
    if (value === undefined) sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, JSON.stringify(value));
  } catch {}
};
