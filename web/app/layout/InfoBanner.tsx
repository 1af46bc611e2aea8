export const INFO = 'Free worldwide shipping on orders over $250';

export const InfoBanner = () => (
  <aside aria-label="Shipping" className="on-dark bg-umber text-mist">
    <p className="page-x flex min-h-9 items-center justify-center py-1.5 text-center text-[0.8125rem]">{INFO}</p>
  </aside>
);
