import { pages } from '#domain/site/pages.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { Niche } from '../../ui/Niche.tsx';

export const NotFoundPage = ({ message = 'Oops! Page Not Found' }: { readonly message?: string }) => {
  usePageTitle('Page Not Found');
  return (
    <div className="page-x flex flex-col items-center pt-16 pb-section text-center md:pt-20">
      <div className="relative">
        <Niche height={90} strokeWidth={0.45} className="h-72 text-gold md:h-96" />
        <span className="display figures absolute inset-x-0 top-[46%] text-[4.5rem] leading-none md:text-[6.5rem]">404</span>
      </div>
      <h1 className="display mt-10 text-h1">{message}</h1>
      <p className="mt-4 max-w-md text-lead text-clove">The page you're looking for doesn't exist or may have been moved.</p>
      <ButtonLink to={pages.home} size="lg" className="mt-8">
        Go Back Home
      </ButtonLink>
    </div>
  );
};
