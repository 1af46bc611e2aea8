import { useEffect, useRef } from 'react';
import { pages } from '#domain/site/pages.ts';
import { usePageTitle } from '../lib/use-page-title.ts';
import { ButtonLink } from '../ui/Button.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { Status } from '../ui/feedback/Status.tsx';

/** Shown after an erasure. It takes the focus, which the closed dialog would lose. `message` comes from the server. */
export const GoodbyePage = ({ message }: { readonly message: string }) => {
  usePageTitle('Goodbye');
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  return (
    <EmptyState
      page
      ref={title}
      title="Goodbye"
      action={
        <ButtonLink to={pages.home} size="lg">
          Go to the shop
        </ButtonLink>
      }
    >
      <Status>{message}.</Status>
    </EmptyState>
  );
};
