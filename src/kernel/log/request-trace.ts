import type { IncomingMessage } from 'node:http';
import { tracer } from '#kernel/tracing/span.js';
import { traceIdOf, type RequestContext } from './request-context.js';

/**
 * Begins the span of a request if tracing is enabled: as a child of the caller's, if a valid `traceparent`
 * was sent.
 */
export function beginTrace(request: IncomingMessage, context: RequestContext): void {
  const current = tracer();
  if (!current) return;
  const header = request.headers['traceparent'];
  const parent = traceIdOf(header) === undefined ? undefined : (header as string);
  const attributes = {
    'http.request.method': context.method,
    'forgeplane.correlation_id': context.correlationId,
  };
  context.span = current.begin(context.method, 'server', attributes, parent);
  context.traceId = context.span.traceId;
}

/** Ends the span under the name of its route. */
export function endTrace({ span, method, route, userId }: RequestContext, status: number): void {
  if (!span) return;
  span.end({
    name: route === undefined ? method : `${method} ${route}`,
    attributes: { 'http.route': route, 'http.response.status_code': status, 'enduser.id': userId },
    ...(status >= 500 ? { error: String(status) } : {}),
  });
}
