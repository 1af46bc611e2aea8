import { lazy, Suspense } from 'react';
import { useSelector } from 'react-redux';
import { pages } from '#domain/site/pages.ts';
import { selectIsUnknown, selectUser } from '../../features/auth/auth-slice.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { SignInRedirect } from '../SignInRedirect.tsx';
import { Status } from '../../ui/feedback/Status.tsx';

const AuditPage = lazy(async () => ({ default: (await import('../../features/audit/AuditPage.tsx')).AuditPage }));

const AuditLoading = () => <Status className="sr-only">Opening the audit...</Status>;

const AuditForbidden = () => (
  <EmptyState
    page
    title="Audit"
    action={
      <ButtonLink to={pages.shop} size="lg">
        Visit the shop
      </ButtonLink>
    }
  >
    The books of the shop are open to its auditors only. Your account is not one of them.
  </EmptyState>
);

/** Shows the audit to auditors and owners, and redirects visitors to the sign-in page, which returns here. */
export const AuditScreen = () => {
  usePageTitle('Audit');
  const user = useSelector(selectUser);
  const isUnknown = useSelector(selectIsUnknown);
  if (user === null) return isUnknown ? <AuditLoading /> : <SignInRedirect />;
  if (!user.isAuditor) return <AuditForbidden />;
  return (
    <Suspense fallback={<AuditLoading />}>
      <AuditPage key={user._id} />
    </Suspense>
  );
};
