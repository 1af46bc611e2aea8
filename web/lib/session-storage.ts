export const KEPT_CHECKOUT = 'checkout';

/** Returns the readable cookies, none where they are blocked. */
export const readCookies = (): string => {
  try {
    return document.cookie;
  } catch {
    return '';
  }
};

/** Returns whether this browser has a session, of a user or of a visitor. Its cookie is HttpOnly, so the server sets readable ones beside it. */
export const hasSessionCookie = (cookies = readCookies()): boolean => /(?:^|;\s*)(?:visitor|signed_in)=1(?:;|$)/.test(cookies);

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

/** Reads a choice that this browser keeps; null when there is none, or storage is blocked. */
export const readChoice = (name: string): string | null => {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
};

/** Keeps a choice in this browser. Where storage is blocked it holds until the page is left. */
export const writeChoice = (name: string, value: string): void => {
  try {
    localStorage.setItem(name, value);
  } catch {}
};
