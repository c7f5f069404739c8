/** Attributes of a span; they contain no user input except names, paths and numbers. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** Role of a span in a call. */
export type SpanKind = 'server' | 'client' | 'consumer' | 'internal';

/** How the work of a span ended. */
export interface SpanEnd {
  /** Replaces the initial name. */
  readonly name?: string | undefined;
  readonly attributes?: SpanAttributes;
  /** Its error or status; undefined if it did not fail. */
  readonly error?: unknown;
}

/** A unit of work in a trace. */
export interface Span {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** The W3C `traceparent` for its children. */
  readonly traceparent: string;
  end(how?: SpanEnd): void;
}

/** Begins spans; exists while OTEL_EXPORTER_OTLP_ENDPOINT is set. */
export interface Tracer {
  /** `parent` is a span of this process, or a valid `traceparent`. */
  begin(name: string, kind: SpanKind, attributes: SpanAttributes, parent: Span | string | undefined): Span;
}

let current: Tracer | null = null;

/** Sets or removes the tracer of this process. */
export function useTracer(tracer: Tracer | null): void {
  current = tracer;
}

/** The tracer of this process; null if tracing is disabled. */
export const tracer = (): Tracer | null => current;
