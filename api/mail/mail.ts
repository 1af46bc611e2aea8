export type Mail = {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** For newsletters: the one-click unsubscribe link for mail programs. */
  readonly unsubscribe?: string;
  /** With tracing: the span that caused it. */
  readonly traceparent?: string | undefined;
};
