import { pages } from '#domain/site/pages.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { Niche } from '../../ui/Niche.tsx';

export const NotFoundPage = ({ message = 'Oops! Page Not Found' }: { readonly message?: string }) => {
  usePageTitle('Page Not Found');
  return (
    <EmptyState
      page
      picture={
        <div className="relative">
          <Niche height={90} strokeWidth={0.45} className="h-72 text-gold" />
          <span className="display figures absolute inset-x-0 top-[46%] text-[4.5rem] leading-none">404</span>
        </div>
      }
      title={message}
      action={
        <ButtonLink to={pages.home} size="lg">
          Go Back Home
        </ButtonLink>
      }
    >
      The page you're looking for doesn't exist or may have been moved.
    </EmptyState>
  );
};
