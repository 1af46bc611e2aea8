import type { ComponentProps, ReactNode } from 'react';
import { Link } from 'react-router-dom';

const SAFE = new Set(['https:', 'http:', 'mailto:', 'tel:']);

/**
 * Whether a link may lead there: within the shop, to another site, to mail or telephone. Asked the way the browser will read it, which
 * drops blanks before a scheme and line breaks within it. Everything else, `javascript:` above all, is text and no link.
 */
export const isSafeAddress = (address: string): boolean => {
  try {
    return SAFE.has(new URL(address, 'https://shop.invalid').protocol);
  } catch {
    return false;
  }
};

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
