import type { ReactNode, Ref } from 'react';
import { Button, ButtonLink } from '../Button.tsx';
import { cx } from '../cx.ts';
import { Niche } from '../Niche.tsx';

type EmptyStateProps = {
  readonly title: ReactNode;
  readonly children?: ReactNode;
  readonly picture?: ReactNode;
  readonly action?: ReactNode;
  /** Set it when the empty state is the whole page; `title` is then the page's heading. */
  readonly page?: boolean;
  /** Screen readers announce an `alert` when it appears. */
  readonly role?: 'alert' | undefined;
  readonly ref?: Ref<HTMLHeadingElement>;
};

export const EmptyState = ({ title, children, picture, action, page = false, role, ref }: EmptyStateProps) => {
  const Title = page ? 'h1' : 'h2';
  return (
    <div role={role} className={cx('flex flex-col items-center text-center', page ? 'page-x py-section' : 'py-20')}>
      {picture ?? <Niche className={cx('text-gold', page ? 'h-40' : 'h-36')} />}
      <Title ref={ref} tabIndex={-1} className={cx('display mt-8 outline-none', page ? 'text-h1' : 'text-h2')}>
        {title}
      </Title>
      {children && <div className={cx('mt-4 max-w-md text-clove', page && 'text-lead')}>{children}</div>}
      {action && <div className="mt-8 flex flex-wrap justify-center gap-3">{action}</div>}
    </div>
  );
};

type RetryOrLeaveProps = {
  /** `onRetry` is undefined where trying again would not help. */
  readonly onRetry: (() => void) | undefined;
  readonly to: string;
  readonly children: string;
};

export const RetryOrLeave = ({ onRetry, to, children }: RetryOrLeaveProps) => (
  <>
    {onRetry && (
      <Button size="lg" onClick={onRetry}>
        Try again
      </Button>
    )}
    <ButtonLink to={to} size="lg" kind={onRetry ? 'outline' : 'primary'}>
      {children}
    </ButtonLink>
  </>
);
