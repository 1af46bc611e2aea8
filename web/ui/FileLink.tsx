import { ExternalLink } from 'lucide-react';
import type { ComponentProps } from 'react';
import { cx } from './cx.ts';

type FileLinkProps = ComponentProps<'a'> & { readonly name: string };

/** A link to a file that the server creates, in a new tab. Screen readers say `name`. */
export const FileLink = ({ name, className, children, ...rest }: FileLinkProps) => (
  <a
    {...rest}
    target="_blank"
    rel="noreferrer"
    aria-label={`${name}, opens in a new tab`}
    className={cx('link inline-flex items-center gap-2', className)}
  >
    {children}
    <ExternalLink className="size-4 print:hidden" strokeWidth={1.5} />
  </a>
);
