import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { dayText, momentText } from '../../../lib/dates.ts';
import { returnWords } from '../orders/OrderReturns.tsx';
import type { Customer, Letter } from './customers-api.ts';

export const PartTitle = ({ children }: { readonly children: ReactNode }) => (
  <h4 className="flex min-h-9 items-center text-[0.9375rem] font-medium">{children}</h4>
);

/** Leads to the order at the desk. */
export const OrderLink = ({ number }: { readonly number: string }) => (
  <Link
    to={`?panel=orders&order=${number}`}
    className="figures inline-flex min-h-11 items-center font-semibold tracking-[0.01em] whitespace-nowrap hover:text-oxblood"
  >
    {number}
  </Link>
);

type PartProps = { readonly title: string; readonly children: ReactNode };

const Part = ({ title, children }: PartProps) => (
  <section className="pt-6 text-[0.875rem]">
    <PartTitle>{title}</PartTitle>
    <ul className="border-t border-sandal">{children}</ul>
  </section>
);

const ROW = 'border-b border-sandal/70 py-2.5';
const NOTE = 'figures text-[0.8125rem] text-clove';

export const Returns = ({ returns }: Pick<Customer, 'returns'>) => (
  <Part title="Returns">
    {returns.map(({ orderId, orderNumber, status, requestedAt }) => (
      <li key={`${orderId} ${requestedAt}`} className="flex flex-wrap items-center gap-x-4 border-b border-sandal/70 max-sm:pb-2">
        <OrderLink number={orderNumber} />
        <span className={status === 'requested' ? 'text-oxblood' : undefined}>{returnWords[status]}</span>
        <span className={NOTE}>asked for on {dayText(requestedAt)}</span>
      </li>
    ))}
  </Part>
);

export const Addresses = ({ addresses }: Pick<Customer, 'addresses'>) => (
  <Part title="Addresses">
    {addresses.map(({ _id, name, address1, address2, city, state, postalCode, country, phone, isDefault }) => (
      <li key={_id} className={ROW}>
        <p className="flex items-baseline justify-between gap-3">
          <bdi className="font-medium wrap-anywhere">{name}</bdi>
          {isDefault && <span className="text-[0.8125rem] text-gold-deep">Default</span>}
        </p>
        <address className="leading-relaxed wrap-anywhere text-clove not-italic">
          {[address1, address2].filter(Boolean).join(', ')}
          <br />
          <bdi>{[city, state, country].filter(Boolean).join(', ')}</bdi> <bdi className="figures">{postalCode}</bdi>
          <br />
          <bdi className="figures">{phone}</bdi>
        </address>
      </li>
    ))}
  </Part>
);

export const Messages = ({ messages, email }: Pick<Customer['requests'], 'messages'> & Pick<Customer, 'email'>) => (
  <Part title="Messages">
    {messages.map(({ _id, message, at, state, answeredBy }) => (
      <li key={_id} className="border-b border-sandal/70">
        <Link
          to={`?${new URLSearchParams({ panel: 'messages', status: 'all', q: email, open: _id })}`}
          className="block min-h-11 py-2.5 hover:text-oxblood"
        >
          <span className="line-clamp-2 leading-snug wrap-anywhere">{message}</span>
          <span className={NOTE}>
            {dayText(at)}, {state === 'new' ? 'to answer' : `answered${answeredBy === undefined ? '' : ` by ${answeredBy}`}`}
          </span>
        </Link>
      </li>
    ))}
  </Part>
);

export const Notices = ({ notices }: Pick<Customer['requests'], 'notices'>) => (
  <Part title="Wants to hear when back">
    {notices.map(({ productId, productName, at }) => (
      <li key={productId} className={ROW}>
        <span className="wrap-anywhere">{productName ?? productId}</span>
        <span className={`block ${NOTE}`}>asked on {dayText(at)}</span>
      </li>
    ))}
  </Part>
);

const deeds: Readonly<Record<Letter['kind'], string>> = { export: 'Exported', erasure: 'Erasure begun' };

export const Letters = ({ letters }: Pick<Customer['requests'], 'letters'>) => (
  <ul aria-label="Done by letter" className="mt-3 border-t border-sandal text-[0.875rem]">
    {letters.map(({ kind, reason, at, by }) => (
      <li key={`${kind} ${at}`} className={ROW}>
        <span className="whitespace-pre-line wrap-anywhere">{reason}</span>
        <span className={`block ${NOTE}`}>
          {deeds[kind]} by {by}, {momentText(at)}
        </span>
      </li>
    ))}
  </ul>
);
