import { Braces } from 'lucide-react';
import { Link } from 'react-router-dom';
import type { EventMetadata } from '#domain/event-store.ts';
import { counted } from '../../../lib/numbers.ts';
import type { AuditedOrder, AuditEvent, AuditMail } from '../audit-api.ts';
import { logPath, orderPath } from '../audit-paths.ts';
import { exactMomentText, mailText, roleOf, whoOf, wordOf } from '../audit-labels.ts';
import { PricesThen } from './PricesThen.tsx';
import { Row } from './Row.tsx';

type WhoAndWhenProps = { readonly name: string; readonly order: AuditedOrder; readonly event: AuditEvent };

/** Who did it, when, by which command and request, and what asked for it. */
export const WhoAndWhen = ({ name, order, event }: WhoAndWhenProps) => {
  const { metadata, position, recordedAt } = event;
  return (
    <section aria-labelledby="who" className="min-w-0">
      <h3 id="who" className="display text-h3">
        Who and when
      </h3>
      <dl className="mt-3 border-t border-sandal text-[0.875rem]">
        {metadata && <Row name="Actor">{<Actor order={order} metadata={metadata} />}</Row>}
        <Row name="Recorded">{exactMomentText(recordedAt)} in India</Row>
        <Row name="Position">{counted(Number(position))}</Row>
        {metadata && (
          <>
            <Row name="Caused by">
              <Cause name={name} order={order} metadata={metadata} />
            </Row>
            <Row name="Request">{mono(metadata.correlationId)}</Row>
            <Row name="Command">{mono(metadata.commandId)}</Row>
            <Row name="Hash">{mono(metadata.hash)}</Row>
          </>
        )}
        <PricesThen event={event} />
        {order.mails
          .filter(({ about }) => about === event.type)
          .map((mail) => (
            <Row key={mail.messageId} name="Mail">
              <MailLink mail={mail} />
            </Row>
          ))}
        {order.cart !== null && (
          <Row name="Came from">
            <Link to={logPath({ stream: order.cart })} className="link">
              The cart it was checked out from
            </Link>
          </Row>
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
    {whoOf(actor, people)}
    <br />
    <span className="text-clove">{people[actor.id]?.email ?? roleOf(actor)}</span>
  </>
);

/** Another event of this order, or what the request or the job asked for. */
const Cause = ({ name, order, metadata }: OfMetadata & { readonly name: string }) => {
  const { causationId, correlationId } = metadata;
  const cause = order.events.find((event) => event.metadata?.eventId === causationId);
  if (cause)
    return (
      <Link to={orderPath(name, cause.revision)} replace state={{ stay: true }} className="link">
        {wordOf(cause.type).text}, event {cause.revision + 1}
      </Link>
    );
  return causationId === correlationId ? 'The request itself' : mono(causationId);
};

/** The mail that it sent: to be read where the shop has caught it itself, else to be looked for by its Message-ID. */
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
