import type { ComponentProps, ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { isSafeAddress } from '../lib/safe-address.ts';

/** A link within the shop whose address comes from the content; one that no link may have leaves the words alone. */
export const SafeLink = ({ to, className, children, ...rest }: ComponentProps<typeof Link>) =>
  typeof to === 'string' && !isSafeAddress(to) ? (
    <span className={className}>{children}</span>
  ) : (
    <Link {...rest} to={to} className={className}>
      {children}
    </Link>
  );

type OutLinkProps = {
  readonly href: string;
  /** Names it where its content is a mark; the words say that it opens a new tab. */
  readonly label?: string;
  readonly className: string;
  readonly children: ReactNode;
};

/** A link to another site, in a new tab that cannot reach back to this one. */
export const OutLink = ({ href, label, className, children }: OutLinkProps) =>
  isSafeAddress(href) ? (
    <a href={href} target="_blank" rel="noopener" aria-label={label} className={className}>
      {children}
    </a>
  ) : (
    <span className={className}>{children}</span>
  );
