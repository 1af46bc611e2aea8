import type { Transport } from '../../mail/transport.ts';
import type { Tracing } from './tracing.ts';

/** The same transport; it sends each mail within the trace that caused it, in whichever process that was. */
export const tracedTransport = (transport: Transport, tracing: Tracing): Transport => ({
  ...transport,
  send: (mail, id) => {
    const { traceparent: parent } = mail;
    const send = () => transport.send(mail, id);
    return parent === undefined ? send() : tracing.span({ name: 'send mail', kind: 'client', parent }, send);
  },
});
