/** A mail to send. */
export type Mail = {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** For newsletters: the link by which mail programs unsubscribe with one click. */
  readonly unsubscribe?: string;
  /** With tracing: the span that caused it. */
  readonly traceparent?: string | undefined;
};
