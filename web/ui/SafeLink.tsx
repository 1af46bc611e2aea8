import type { ComponentProps, ReactNode } from 'react';
import { Link } from 'react-router-dom';

const SAFE = new Set(['https:', 'http:', 'mailto:', 'tel:']);

/**
 * Returns whether a URL is safe to link to: a page of the shop, another site, mail or telephone. It is parsed with `URL`, which like a
 * browser ignores leading blanks and line breaks within the scheme. All else, above all `javascript:`, is shown as text.
 */
export const isSafeAddress = (address: string): boolean => {
  try {
    return SAFE.has(new URL(address, 'https://shop.invalid').protocol);
  } catch {
    return false;
  }
};

/** A link within the shop whose URL comes from the site content. An unsafe URL renders only the text. */
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
  /** The accessible name where the content is an icon. It must say that the link opens a new tab. */
  readonly label?: string;
  readonly className: string;
  readonly children: ReactNode;
};

/** A link to another site, which opens in a new tab without access to this one. */
export const OutLink = ({ href, label, className, children }: OutLinkProps) =>
  isSafeAddress(href) ? (
    <a href={href} target="_blank" rel="noopener" aria-label={label} className={className}>
      {children}
    </a>
  ) : (
    <span className={className}>{children}</span>
  );
