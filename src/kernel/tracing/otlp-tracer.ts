import { ROOT_CONTEXT, SpanKind as OtelKind, SpanStatusCode, trace, TraceFlags } from '@opentelemetry/api';
import type { Context, Span as OtelSpan, Tracer as OtelApiTracer } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  defaultResource,
  envDetector,
  detectResources,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { RELEASE } from '#kernel/config/release.js';
import type { Span, SpanAttributes, SpanEnd, SpanKind, Tracer } from './span.js';

const KINDS: Readonly<Record<SpanKind, OtelKind>> = {
  server: OtelKind.SERVER,
  client: OtelKind.CLIENT,
  consumer: OtelKind.CONSUMER,
  internal: OtelKind.INTERNAL,
};

const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})/;

/**
 * Sends spans to a collector by OTLP over HTTP; `OTEL_*` variables (headers, sampler, batch, service name)
 * are those of the OpenTelemetry SDK.
 */
export class OtlpTracer implements Tracer {
  private readonly provider: BasicTracerProvider;
  private readonly tracer: OtelApiTracer;

  constructor(endpoint: string, process: string) {
    const url = `${endpoint.replace(/\/$/, '')}/v1/traces`;
    const resource = resourceFromAttributes({
      'service.name': 'forgeplane',
      'service.version': RELEASE,
      'forgeplane.process': process,
    });
    const named = detectResources({ detectors: [envDetector] });
    this.provider = new BasicTracerProvider({
      resource: defaultResource().merge(resource).merge(named),
      spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ url }))],
    });
    this.tracer = this.provider.getTracer('forgeplane', RELEASE);
  }

  begin(name: string, kind: SpanKind, attributes: SpanAttributes, parent: Span | string | undefined): Span {
    const options = { kind: KINDS[kind], attributes: { ...attributes } };
    return new OtlpSpan(this.tracer.startSpan(name, options, contextOf(parent)));
  }

  /** Sends the remaining spans. */
  close(): Promise<void> {
    return this.provider.shutdown();
  }
}

class OtlpSpan implements Span {
  readonly traceId: string;
  readonly traceparent: string;

  constructor(readonly span: OtelSpan) {
    const { traceId, spanId, traceFlags } = span.spanContext();
    this.traceId = traceId;
    this.traceparent = `00-${traceId}-${spanId}-${(traceFlags & TraceFlags.SAMPLED).toString(16).padStart(2, '0')}`;
  }

  end({ name, attributes, error }: SpanEnd = {}): void {
    if (name !== undefined) this.span.updateName(name);
    if (attributes) this.span.setAttributes({ ...attributes });
    if (error !== undefined) {
      // Messages may quote user input.
      this.span.setAttribute(
        'error.type',
        error instanceof Error ? error.name : typeof error === 'string' ? error : 'unknown',
      );
      this.span.setStatus({ code: SpanStatusCode.ERROR });
    }
    this.span.end();
  }
}

function contextOf(parent: Span | string | undefined): Context {
  if (parent instanceof OtlpSpan) return trace.setSpan(ROOT_CONTEXT, parent.span);
  const [, traceId, spanId, flags] = typeof parent === 'string' ? (TRACEPARENT.exec(parent) ?? []) : [];
  if (traceId === undefined || spanId === undefined) return ROOT_CONTEXT;
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags ?? '0', 16) & TraceFlags.SAMPLED,
    isRemote: true,
  });
}
