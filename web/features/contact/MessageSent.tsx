import { useEffect, useRef } from 'react';
import { Niche } from '../../ui/Niche.tsx';

/** Takes the place of the form once the server has the message, and the focus, which would be lost with its button. */
export const MessageSent = ({ children }: { readonly children: string }) => {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.focus(), []);
  return (
    <div
      ref={place}
      role="status"
      tabIndex={-1}
      className="flex min-h-[30rem] flex-col items-center justify-center self-start bg-paper p-8 text-center outline-none"
    >
      <Niche height={88} drop strokeWidth={0.9} className="h-24 text-gold" />
      <h2 className="display mt-8 text-h2">Message Sent Successfully!</h2>
      <p className="mt-3 max-w-sm wrap-anywhere text-clove">{children}</p>
    </div>
  );
};
