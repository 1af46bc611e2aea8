import { Braces } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { EventMetadata } from '#domain/event-store.ts';
import { formatNumber } from '../../../lib/format.ts';
import type { AuditedOrder, AuditEvent, AuditMail } from '../audit-types.ts';
import { describeActor, exactMomentText, isMailAbout, labelFor, mailText, describeRole } from '../audit-labels.ts';
import { logPath, orderPath, pricePath } from '../audit-paths.ts';

type WhoAndWhenProps = { readonly name: string; readonly order: AuditedOrder; readonly event: AuditEvent };

export const WhoAndWhen = ({ name, order, event }: WhoAndWhenProps) => {
  const { metadata, position, recordedAt } = event;
  return (
    <section aria-labelledby="who" className="min-w-0">
      <h3 id="who" className="display text-h3">
        Who and when
      </h3>
      <dl className="mt-3 border-t border-sandal text-[0.875rem]">
        {metadata && <FieldRow name="Actor">{<Actor order={order} metadata={metadata} />}</FieldRow>}
        <FieldRow name="Recorded">{exactMomentText(recordedAt)} in India</FieldRow>
        <FieldRow name="Position">{formatNumber(Number(position))}</FieldRow>
        {metadata && (
          <>
            <FieldRow name="Caused by">
              <Cause name={name} order={order} metadata={metadata} />
            </FieldRow>
            <FieldRow name="Request">{mono(metadata.correlationId)}</FieldRow>
            <FieldRow name="Command">{mono(metadata.commandId)}</FieldRow>
            <FieldRow name="Hash">{mono(metadata.hash)}</FieldRow>
          </>
        )}
        <PricesThen event={event} />
        {order.mails
          .filter((mail) => isMailAbout(mail, event))
          .map((mail) => (
            <FieldRow key={mail.messageId} name="Mail">
              <MailLink mail={mail} />
            </FieldRow>
          ))}
        {order.cart !== null && (
          <FieldRow name="Came from">
            <Link to={logPath({ stream: order.cart })} className="link">
              The cart it was checked out from
            </Link>
          </FieldRow>
        )}
      </dl>
      <details className="mt-4">
        <summary className="inline-flex min-h-11 cursor-pointer items-center gap-2 text-[0.9375rem] font-medium">
          <Braces aria-hidden="true" className="size-4" strokeWidth={1.5} />
          The event itself
        </summary>
        <pre className="mt-2 bg-paper p-4 font-mono text-xs wrap-anywhere whitespace-pre-wrap">{JSON.stringify(event, null, 2)}</pre>
      </details>
    </section>
  );
};

const mono = (text: string) => <span className="font-mono text-xs">{text}</span>;

type OfMetadata = { readonly order: AuditedOrder; readonly metadata: EventMetadata };

const Actor = ({ order: { people }, metadata: { actor } }: OfMetadata) => (
  <>
    {describeActor(actor, people)}
    <br />
    <span className="text-clove">{people[actor.id]?.email ?? describeRole(actor)}</span>
  </>
);

const Cause = ({ name, order, metadata }: OfMetadata & { readonly name: string }) => {
  const { causationId, correlationId } = metadata;
  const cause = order.events.find((event) => event.metadata?.eventId === causationId);
  if (cause)
    return (
      <Link to={orderPath(name, cause.revision)} replace state={{ stay: true }} className="link">
        {labelFor(cause.type).text}, event {cause.revision + 1}
      </Link>
    );
  return causationId === correlationId ? <>The request itself</> : mono(causationId);
};

/** The mail that the event led to: a link if the development mailbox caught it, else its Message-ID. */
const MailLink = ({ mail }: { readonly mail: AuditMail }) => (
  <>
    {mail.mailbox === null ? (
      mailText(mail)
    ) : (
      <a href={mail.mailbox} className="link">
        {mailText(mail)}
      </a>
    )}
    <br />
    <span className="text-clove">Message-ID {mono(mail.messageId)}</span>
  </>
);

type Line = { readonly productId: string; readonly name: string };

const isLine = (value: unknown): value is Line =>
  typeof value === 'object' && value !== null && 'productId' in value && 'name' in value && typeof value.name === 'string';

const findQuote = ({ data }: AuditEvent): { readonly lines: readonly Line[]; readonly moment: string } | undefined => {
  const moment = data?.['createdAt'] ?? data?.['revisedAt'];
  const lines: unknown = data?.['lines'];
  return typeof moment === 'string' && Array.isArray(lines) ? { lines: lines.filter(isLine), moment } : undefined;
};

/** Links to each product's price at the time of the checkout, for comparison with the order. */
const PricesThen = ({ event }: { readonly event: AuditEvent }) => {
  const quote = findQuote(event);
  if (!quote || quote.lines.length === 0) return null;
  return (
    <FieldRow name="Prices then">
      <ul>
        {quote.lines.map(({ productId, name }) => (
          <li key={productId}>
            <Link to={pricePath(productId, quote.moment)} className="link">
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </FieldRow>
  );
};

const FieldRow = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div className="grid grid-cols-[6.5rem_minmax(0,1fr)] items-baseline gap-x-3 border-b border-sandal/60 py-2.5">
    <dt className="text-clove">{name}</dt>
    <dd className="figures min-w-0 wrap-anywhere">{children}</dd>
  </div>
);
