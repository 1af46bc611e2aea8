/** What is told of a span beside its name; never what people typed. */
export type Attributes = Readonly<Record<string, string | number>>;

export type SpanOptions = {
  readonly name: string;
  /** What the work is to whoever waits for it: answered here, asked of somebody else, or done about what happened earlier. */
  readonly kind: 'server' | 'client' | 'consumer';
  readonly attributes?: Attributes;
  /** The trace context that it continues. Default: that of the span in which it begins. One that is not well-formed begins a new trace. */
  readonly parent?: string | undefined;
};

/** A piece of work in a trace. */
export type Span = {
  /** By which others continue the trace: `00-<trace id>-<span id>-<flags>`, as the W3C has it. */
  readonly traceparent: string;
  /** What turned out while it was done. */
  learn(what: { readonly name?: string; readonly attributes?: Attributes }): void;
  /** It did not go well: why, without words that may be somebody's. */
  fail(why: string): void;
  end(): void;
};

/** Traces as OpenTelemetry understands them. A process that keeps none has no `Tracing`, and does nothing for it. */
export type Tracing = {
  /** A span that ends when it is told to. */
  begin(options: SpanOptions): Span;
  /** Does the work in a span of its own, which what is begun in there belongs to. */
  span<Result>(options: SpanOptions, work: (span: Span) => Promise<Result>): Promise<Result>;
  /** Of the span that this is done in, if any. */
  current(): string | undefined;
  /** Sends what waits, within a few seconds. */
  close(): Promise<void>;
};

/** The traces of a process, as its environment asks for them. */
export type TracesConfig = { readonly exporter: 'otlp' | 'console'; readonly serviceName: string };
