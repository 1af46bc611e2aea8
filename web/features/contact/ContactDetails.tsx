import { Mail, MapPin, Phone, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

type ContactDetailsProps = {
  /** Each entry is one line. */
  readonly address: readonly string[];
  readonly phone: string;
  readonly hours: string;
  readonly email: string;
};

export const ContactDetails = ({ address, phone, hours, email }: ContactDetailsProps) => (
  <div className="mt-12 max-w-md">
    <Detail icon={MapPin} title="The house">
      {address.map((line) => (
        <span key={line} className="block">
          {line}
        </span>
      ))}
    </Detail>
    <Detail icon={Phone} title="Telephone">
      <a className="link inline-block min-h-6 whitespace-nowrap" href={`tel:${phone.replaceAll(' ', '')}`}>
        {phone}
      </a>
      <span className="block text-clove">{hours}</span>
    </Detail>
    <Detail icon={Mail} title="E-mail">
      <a className="link inline-block min-h-6 whitespace-nowrap" href={`mailto:${email}`}>
        {email}
      </a>
    </Detail>
  </div>
);

type DetailProps = { readonly icon: LucideIcon; readonly title: string; readonly children: ReactNode };

const Detail = ({ icon: Icon, title, children }: DetailProps) => (
  <div className="flex gap-5 border-t border-sandal py-6">
    <Icon className="mt-1 size-5 shrink-0 text-gold-deep" strokeWidth={1.3} />
    <div className="min-w-0 flex-1">
      <h2 className="text-[0.875rem] text-clove">{title}</h2>
      <address className="mt-1 leading-relaxed not-italic">{children}</address>
    </div>
  </div>
);
