import { useSelector } from 'react-redux';
import { selectUser } from '../../features/auth/auth-slice.ts';
import type { SiteContent } from '../../features/content/site-content-types.ts';
import { BrandMark } from './SocialIcon.tsx';
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
            <BrandMark of={network} />
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
