import type { SerializedError } from '@reduxjs/toolkit';
import { pages } from '#domain/pages.ts';
import type { CallError } from '../../../lib/http/first-answers.ts';
import { usePageTitle } from '../../../lib/use-page-title.ts';
import { Button, ButtonLink } from '../../../ui/Button.tsx';
import { Niche } from '../../../ui/Niche.tsx';

const NOT_FOUND = 'Product not found';

type ProductMissingProps = { readonly error: CallError | SerializedError | undefined; readonly onRetry: () => void };

/** The server's message, else 'Product not found' (specification, section 2); where asking again may help, the way to do so. */
export const ProductMissing = ({ error, onRetry }: ProductMissingProps) => {
  const status = error && 'status' in error ? error.status : undefined;
  // Without an answer there is no message of the server, only the browser's.
  const title = (status !== undefined && error?.message) || NOT_FOUND;
  const gone = status !== undefined && status < 500;
  usePageTitle(title);
  return (
    <div role="alert" className="page-x flex flex-col items-center py-section text-center">
      <Niche className="h-40 text-gold" />
      <h1 className="display mt-8 text-h1">{title}</h1>
      <p className="mt-4 max-w-md text-lead text-clove">
        {gone
          ? 'It may have sold through or been renamed. The rest of the house is where you left it.'
          : 'The shop did not answer. Try again in a moment.'}
      </p>
      <div className="mt-8 flex flex-wrap justify-center gap-3">
        {!gone && (
          <Button size="lg" onClick={onRetry}>
            Try again
          </Button>
        )}
        <ButtonLink to={pages.shop} size="lg" kind={gone ? 'primary' : 'outline'}>
          Back to the shop
        </ButtonLink>
      </div>
    </div>
  );
};
