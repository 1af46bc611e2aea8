/** A mail as it is sent. */
export type Mail = {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Of a letter that its reader may end: the link by which a mail program does that with one click. */
  readonly unsubscribe?: string;
  /** Where traces are kept: the span in which it was caused. */
  readonly traceparent?: string | undefined;
};
