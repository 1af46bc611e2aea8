import type { ShippingAddress } from '#domain/order/events.ts';

export const Address = ({ of }: { readonly of: ShippingAddress }) => (
  <address className="leading-[1.7] wrap-anywhere text-clove not-italic [&>span]:block">
    <span>{of.name}</span>
    <span>{of.address1}</span>
    {of.address2 !== '' && <span>{of.address2}</span>}
    <span>
      {of.city} {of.postalCode}
    </span>
    <span>
      {of.state}, {of.country}
    </span>
    <span className="figures">{of.phone}</span>
    <span>{of.email}</span>
  </address>
);
