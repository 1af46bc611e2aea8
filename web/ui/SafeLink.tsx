import type { ComponentProps, ReactNode } from 'react';
import { Link } from 'react-router-dom';

const SAFE = new Set(['https:', 'http:', 'mailto:', 'tel:']);

/**
 * Whether a link may lead there: within the shop, to another site, to mail or telephone. Parsed with `URL`, as browsers do, which ignores
 * leading blanks and line breaks within the scheme. Everything else, `javascript:` above all, is shown as text.
 */
export const isSafeAddress = (address: string): boolean => {
  try {
    return SAFE.has(new URL(address, 'https://shop.invalid').protocol);
  } catch {
    return false;
  }
};

/** A link within the shop whose address comes from the site content. With an unsafe address only the text is rendered. */
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
  /** The accessible name where the content is an icon; it says that the link opens a new tab. */
  readonly label?: string;
  readonly className: string;
  readonly children: ReactNode;
};

/** A link to another site, in a new tab without access to this one. */
export const OutLink = ({ href, label, className, children }: OutLinkProps) =>
  isSafeAddress(href) ? (
    <a href={href} target="_blank" rel="noopener" aria-label={label} className={className}>
      {children}
    </a>
  ) : (
    <span className={className}>{children}</span>
  );
