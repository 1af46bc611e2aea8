import { useEffect, useRef } from 'react';
import { pages } from '#domain/site/pages.ts';
import { usePageTitle } from '../lib/use-page-title.ts';
import { ButtonLink } from '../ui/Button.tsx';
import { Niche } from '../ui/Niche.tsx';
import { Status } from '../ui/Status.tsx';

/** Shown after an erasure. It takes the focus, which would be lost with the closed dialog. `message` comes from the server. */
export const GoodbyePage = ({ message }: { readonly message: string }) => {
  usePageTitle('Goodbye');
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  return (
    <div className="page-x flex flex-col items-center py-section text-center">
      <Niche className="h-40 text-gold" strokeWidth={0.6} />
      <h1 ref={title} tabIndex={-1} className="display mt-8 text-h1 outline-none">
        Goodbye
      </h1>
      <Status className="mt-4 max-w-md text-lead text-clove">{message}.</Status>
      <ButtonLink to={pages.home} size="lg" className="mt-8">
        Go to the shop
      </ButtonLink>
    </div>
  );
};
