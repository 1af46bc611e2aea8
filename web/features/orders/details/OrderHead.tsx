import { ExternalLink, House, type LucideIcon, Truck, Undo2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { useSelector } from 'react-redux';
import type { OrderView } from '#domain/order/view.ts';
import { dayText, windowText } from '../../../lib/dates.ts';
import { type ButtonLook, buttonStyle } from '../../../ui/button-style.ts';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import { Niche } from '../../../ui/Niche.tsx';
import { OutLink } from '../../../ui/SafeLink.tsx';
import { TextLink } from '../../../ui/TextLink.tsx';
import { useFocusWhenLost } from '../../../ui/use-focus-when-gone.ts';
import { formatOrderNumber } from '../order-paths.ts';
import { selectOrder } from '../order-slice.ts';
import type { OrderStory } from '../order-story.ts';
import { methods } from '../payment-methods.ts';
import { PayDue } from '../payment/PaymentSection.tsx';
import { reachedAt } from './order-dates.ts';
import { OrderSteps, STEPS } from './OrderSteps.tsx';

type OrderHeadProps = {
  readonly order: OrderView;
  readonly story: OrderStory;
  /** The lines of the shop's postal address, to which bottles are sent back. */
  readonly returnsTo: readonly string[];
  readonly BuyAgain: ReactNode;
  /** What else the shopper may do: cancel, return. */
  readonly children: ReactNode;
};

/** Tells where the order stands at this moment, what to do next, and the steps. */
export const OrderHead = ({ order, story, returnsTo, BuyAgain, children }: OrderHeadProps) => (
  <div className="border-b border-sandal bg-paper">
    <div className="page-x pt-9 pb-9 md:pt-12 md:pb-11">
      <div className="grid gap-x-16 gap-y-8 lg:grid-cols-[1fr_25rem] lg:items-end">
        <div className="min-w-0">
          {story.isSealed && (
            <div className="mb-5">
              <Niche className="h-14 text-gold" height={88} drop strokeWidth={1.1} />
            </div>
          )}
          <p className="figures text-[0.9375rem] text-clove">
            Order <span className="font-medium text-ink">{formatOrderNumber(order)}</span>
            {order.placedAt && <span>, placed {dayText(order.placedAt)}</span>}
          </p>
          <Title>{story.title}</Title>
          <p className="mt-4 max-w-[38rem] text-lead wrap-anywhere">{story.lead}</p>
          <News order={order} story={story} />
          <div className="mt-6 flex flex-wrap items-start gap-x-6 gap-y-2">
            <Deed order={order} deed={story.deed} returnsTo={returnsTo} BuyAgain={BuyAgain} />
            {children}
          </div>
          {story.deed === 'send back' && (
            <p className="mt-3 text-[0.875rem] text-clove">
              You pay the postage. We will mail you when the parcel has come, and when the refund has left.
            </p>
          )}
        </div>
        <Beside order={order} story={story} returnsTo={returnsTo} />
      </div>
      <div className="mt-9 border-t border-sandal pt-7">
        <OrderSteps {...story} />
      </div>
    </div>
  </div>
);

/** Takes the focus of a deed that was done, because its button is gone. */
const Title = ({ children }: { readonly children: string }) => {
  const heading = useFocusWhenLost<HTMLHeadingElement>();
  return (
    <h1
      ref={heading}
      tabIndex={-1}
      className="display mt-2 text-[clamp(2.75rem,2rem+3.2vw,4.75rem)] leading-[1.02] tracking-[-0.02em] wrap-anywhere"
    >
      {children}
    </h1>
  );
};

/** Says to screen readers, once, what others changed while the page was open. */
const News = ({ order, story: { title, lead } }: Pick<OrderHeadProps, 'order' | 'story'>) => {
  const { moved } = useSelector(selectOrder);
  return (
    <p role="status" className="sr-only">
      {moved === order && `${title}. ${lead}`}
    </p>
  );
};

type DeedProps = Pick<OrderHeadProps, 'order' | 'returnsTo' | 'BuyAgain'> & Pick<OrderStory, 'deed'>;

const Deed = ({ order, deed, returnsTo, BuyAgain }: DeedProps) => {
  switch (deed) {
    case 'pay':
      return <PayDue key={order._id} order={order} />;
    case 'track':
      return <TrackOrder order={order} size="lg" />;
    case 'send back':
      return <CopyButton text={returnsTo.join('\n')}>Copy the address</CopyButton>;
    case 'buy again':
      return BuyAgain;
    case 'wait':
      return null;
  }
};

/** Leads to the courier's page of the parcel. */
export const TrackOrder = ({ order, ...look }: ButtonLook & Pick<OrderHeadProps, 'order'>) => (
  <OutLink href={order.shipment?.trackingUrl ?? ''} className={buttonStyle({ ...look, className: 'max-sm:w-full' })}>
    <span>
      Track your order<span className="sr-only"> {formatOrderNumber(order)}, opens in a new tab</span>
    </span>
    <ExternalLink className="size-4" strokeWidth={1.5} />
  </OutLink>
);

const showSteps = (): void => document.getElementById(STEPS)?.focus();

type BoxProps = {
  readonly icon: LucideIcon;
  readonly label: string;
  readonly value: string;
  readonly detail?: string | undefined;
  readonly children?: ReactNode;
};

const Box = ({ icon: Icon, label, value, detail, children }: BoxProps) => (
  <section aria-label={label} className="self-end border border-sandal bg-ivory px-6 py-5">
    <div className="flex items-start gap-4">
      <Icon className="mt-0.5 size-6 text-gold-deep" strokeWidth={1.3} />
      <div className="min-w-0 flex-1">
        <p className="text-[0.875rem] text-clove">{label}</p>
        <p className="display figures mt-0.5 text-[1.875rem] leading-tight">{value}</p>
        {detail !== undefined && detail !== '' && (
          <p className="figures mt-1 text-[0.875rem] leading-snug wrap-anywhere text-clove">{detail}</p>
        )}
        {children}
      </div>
    </div>
  </section>
);

const parcelText = ({ shipment }: OrderView): string => [shipment?.courier, shipment?.trackingNumber].filter(Boolean).join(', ');

/** The delivery, or where a return goes. Money that goes back is in the sentences. */
const Beside = ({ order, story: { deed }, returnsTo }: Pick<OrderHeadProps, 'order' | 'story' | 'returnsTo'>) => {
  if (deed === 'send back') return <SendTo order={order} returnsTo={returnsTo} />;
  const deliveredAt = reachedAt(order, 'delivered');
  if (deliveredAt !== undefined) return <Box icon={House} label="Delivered" value={dayText(deliveredAt)} detail={parcelText(order)} />;
  const { status, estimatedDelivery, paymentMethod, payment, shipment } = order;
  if (status === 'cancelled' || estimatedDelivery === null) return null;
  const terms = payment.status === 'due' ? 'When it is paid today' : paymentMethod === 'COD' ? methods.COD.label : '';
  return (
    <Box icon={Truck} label="Expected delivery" value={windowText(estimatedDelivery)} detail={parcelText(order) || terms}>
      <div className="flex flex-wrap gap-x-6">
        {shipment && shipment.trackingNumber !== '' && <CopyButton text={shipment.trackingNumber}>Copy the number</CopyButton>}
        {deed !== 'track' && deed !== 'pay' && (
          <TextLink to={`#${STEPS}`} onClick={showSteps}>
            Track your order
          </TextLink>
        )}
      </div>
    </Box>
  );
};

const SendTo = ({ order, returnsTo }: Pick<OrderHeadProps, 'order' | 'returnsTo'>) => (
  <section aria-label="Send it to" className="flex items-start gap-4 self-end border border-sandal bg-ivory px-6 py-5">
    <Undo2 className="mt-0.5 size-6 text-gold-deep" strokeWidth={1.3} />
    <div className="min-w-0">
      <p className="text-[0.875rem] text-clove">Send it to</p>
      <address className="mt-1 leading-[1.6] not-italic [&>span]:block first:[&>span]:font-medium">
        {returnsTo.map((line) => (
          <span key={line}>{line}</span>
        ))}
      </address>
      <p className="figures mt-2 text-[0.875rem] text-clove">
        Write <span className="font-medium text-ink">{formatOrderNumber(order)}</span> on the box
      </p>
    </div>
  </section>
);
