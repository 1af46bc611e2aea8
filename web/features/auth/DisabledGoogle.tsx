import { useId } from 'react';
import { Button } from '../../ui/Button.tsx';

/** The place of Google's button while there is none; `why` is said to everybody, not only to who points at it. */
export const DisabledGoogle = ({ why }: { readonly why?: string }) => {
  const id = useId();
  return (
    <>
      <Button
        size="lg"
        kind="outline"
        disabled
        aria-describedby={why === undefined ? undefined : id}
        className="mt-5 w-full disabled:bg-paper"
      >
        <GoogleMark />
        Google
      </Button>
      <p id={id} className="mt-2.5 min-h-[1.5em] text-center text-xs text-clove">
        {why}
      </p>
    </>
  );
};

const GoogleMark = () => (
  <svg viewBox="0 0 20 20" className="size-[1.125rem]" aria-hidden="true">
    <path fill="none" stroke="currentColor" strokeWidth="2.6" d="M16.6 6.3A7.3 7.3 0 1 0 17.3 10.4H10.4" />
  </svg>
);
