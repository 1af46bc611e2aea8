/** What this window keeps under a name: over a reload, and gone with it. A storage that may not be used keeps nothing, and nobody fails over it. */
export const readSession = (name: string): unknown => {
  try {
    return JSON.parse(sessionStorage.getItem(name) ?? 'null');
  } catch {
    // It may not be read, or somebody else wrote there.
    return null;
  }
};

/** `undefined` is forgotten. */
export const writeSession = (name: string, value: unknown): void => {
  try {
    if (value === undefined) sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, JSON.stringify(value));
  } catch {
    // Full, or forbidden: only a reload loses it.
  }
};
