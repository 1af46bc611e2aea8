/** The part of Google's sign-in script that the shop uses. */
export type GoogleId = {
  initialize(options: { client_id: string; nonce: string; callback: (answer: { credential: string }) => void }): void;
  renderButton(
    place: HTMLElement,
    look: { type: 'standard'; theme: 'outline'; size: 'large'; text: 'signin_with'; width: number; locale: string },
  ): void;
};

declare global {
  interface Window {
    readonly google?: { readonly accounts: { readonly id: GoogleId } };
  }
}

const ADDRESS = 'https://accounts.google.com/gsi/client';

let coming: Promise<GoogleId> | undefined;

/** Fetches Google's script, unless it is there or on its way; one that did not come is asked for again. Rejects with an Error. */
export const googleId = (): Promise<GoogleId> => {
  if (window.google) return Promise.resolve(window.google.accounts.id);
  coming ??= fetchScript().finally(() => {
    coming = undefined;
  });
  return coming;
};

const fetchScript = (): Promise<GoogleId> =>
  new Promise((resolve, reject) => {
    const script = Object.assign(document.createElement('script'), { src: ADDRESS, async: true });
    const fail = (): void => {
      script.remove();
      reject(new Error('The script of the Google button did not come'));
    };
    script.addEventListener('error', fail);
    script.addEventListener('load', () => (window.google ? resolve(window.google.accounts.id) : fail()));
    document.head.append(script);
  });
