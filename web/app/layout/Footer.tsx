import type { ReactNode } from 'react';
import { useSelector } from 'react-redux';
import { selectUser } from '../../features/auth/auth-slice.ts';
import type { SiteContent } from '../../features/content/site-content-types.ts';
import { OutLink, SafeLink } from '../../ui/SafeLink.tsx';

type FooterContent = SiteContent['footer'];

export const Footer = ({ content }: { readonly content: FooterContent }) => (
  <footer className="on-dark bg-umber text-mist">
    <div className="page-x pt-16 pb-8 lg:pt-24">
      <div className="grid grid-cols-2 gap-x-8 gap-y-12 md:grid-cols-3 lg:grid-cols-[1.7fr_1fr_1fr_1.25fr]">
        <Brand desc={content.desc} social={content.social} />
        {content.columns.map((column) => (
          <Column key={column.title} {...column} />
        ))}
        <Contact {...content.contact} />
      </div>
      <p className="mt-16 border-t border-umber-2 pt-6 text-xs">{content.copyright}</p>
    </div>
  </footer>
);

const Brand = ({ desc, social }: Pick<FooterContent, 'desc' | 'social'>) => (
  <div className="col-span-2 md:col-span-3 lg:col-span-1">
    <h2>
      <img src="/logo-light.svg" alt="RUHANI" width={423} height={80} loading="lazy" className="h-10 w-auto" />
    </h2>
    <p className="mt-6 max-w-80 leading-relaxed">{desc}</p>
    <ul className="mt-6 -ml-3 flex gap-1">
      {social.map(({ network, href }) => (
        <li key={network}>
          <OutLink
            href={href}
            label={`${network} (opens in a new tab)`}
            className="inline-flex size-11 items-center justify-center rounded-full text-mist hover:bg-umber-2 hover:text-ivory"
          >
            <SocialIcon of={network} />
          </OutLink>
        </li>
      ))}
    </ul>
  </div>
);

const Column = ({ title, links }: FooterContent['columns'][number]) => {
  const isAdmin = useSelector(selectUser)?.isAdmin ?? false;
  return (
    <div>
      <h2 className="caps text-gold-pale">{title}</h2>
      <ul className="mt-4 space-y-0.5">
        {links
          .filter(({ forAdmins = false }) => isAdmin || !forAdmins)
          .map(({ text, to }) => (
            <li key={to}>
              <SafeLink
                to={to}
                className="inline-flex min-h-9 items-center text-[0.9375rem] text-mist hover:text-ivory hover:underline hover:underline-offset-4"
              >
                {text}
              </SafeLink>
            </li>
          ))}
      </ul>
    </div>
  );
};

const Contact = ({ address, phone, email }: FooterContent['contact']) => (
  <div className="max-md:col-span-2">
    <h2 className="caps text-gold-pale">Contact</h2>
    <address className="mt-4 space-y-3 text-[0.9375rem] leading-relaxed not-italic">
      <p>
        {address.map((line) => (
          <span key={line} className="block">
            {line}
          </span>
        ))}
      </p>
      <p>
        <a href={`tel:${phone.replaceAll(' ', '')}`} className="inline-flex min-h-9 items-center hover:text-ivory">
          {phone}
        </a>
        <br />
        <a
          href={`mailto:${email}`}
          className="inline-flex min-h-9 items-center text-ivory underline decoration-gold-pale/60 underline-offset-4 hover:decoration-gold-pale"
        >
          {email}
        </a>
      </p>
    </address>
  </div>
);

/** Lucide has no brand icons. These icons use its 24 px grid and stroke. */
const icons: Readonly<Record<'Facebook' | 'Instagram' | 'Twitter', ReactNode>> = {
  Facebook: <path d="M14 8.5h2.2V5.2h-2.6c-2.4 0-3.9 1.5-3.9 4v2H7.5v3.3h2.2V21h3.4v-6.5h2.5l.5-3.3h-3V9.6c0-.8.3-1.1.9-1.1Z" />,
  Instagram: (
    <>
      <rect x="4" y="4" width="16" height="16" rx="4.5" />
      <circle cx="12" cy="12" r="3.7" />
      <path d="M16.6 7.4h.01" />
    </>
  ),
  Twitter: (
    <path d="M20.5 6.6c-.6.3-1.3.5-2 .6.7-.5 1.2-1.1 1.5-1.9-.7.4-1.4.7-2.2.8A3.5 3.5 0 0 0 11.8 9 9.6 9.6 0 0 1 4.6 5.5a3.5 3.5 0 0 0 1.1 4.6c-.6 0-1.1-.2-1.6-.4 0 1.7 1.2 3.1 2.8 3.5-.5.1-1 .2-1.5.1.4 1.4 1.7 2.3 3.2 2.4A7 7 0 0 1 3.5 17.2 9.8 9.8 0 0 0 8.8 18.7c6.5 0 10.1-5.5 9.9-10.4.7-.5 1.3-1 1.8-1.7Z" />
  ),
};

const SocialIcon = ({ of }: { readonly of: keyof typeof icons }) => (
  <svg
    className="size-5"
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.5"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    {icons[of]}
  </svg>
);
