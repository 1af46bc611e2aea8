/** What was typed at checkout. */
export const KEPT_CHECKOUT = 'checkout';

/** Reads a value from sessionStorage. Blocked storage and invalid JSON give null. */
export const readSession = (name: string): unknown => {
  try {
    return JSON.parse(sessionStorage.getItem(name) ?? 'null');
  } catch {
    // Blocked, or not written by us.
    return null;
  }
};

/** `undefined` removes the value. A storage that is full or blocked is ignored: the value is then only lost on a reload. */
export const writeSession = (name: string, value: unknown): void => {
  try {
    if (value === undefined) sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, JSON.stringify(value));
  } catch {}
};
