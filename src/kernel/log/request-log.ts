import type { IncomingMessage, ServerResponse } from 'node:http';
import { clientAddress, type Networks } from '#kernel/http/client-address.js';
import { noteWork } from './event-loop.js';
import { requestLogger } from './logger.js';
import { observeRequest } from './metrics.js';
import { redactParams, redactText } from './redaction.js';
import { acceptCorrelationId, requestContext, traceIdOf, type RequestContext } from './request-context.js';
import { beginTrace, endTrace } from './request-trace.js';
import { addTiming, noteSlow } from './slow-requests.js';

/** What Express and body parsers add to a request. */
interface ServedRequest extends IncomingMessage {
  originalUrl?: string;
  baseUrl?: string;
  route?: { path?: unknown };
  query?: unknown;
  body?: unknown;
}

type Middleware = (req: ServedRequest, res: ServerResponse, next: () => void) => void;

/** Options of the request log. */
export interface RequestLogOptions {
  /** Proxies whose client addresses are trusted. */
  readonly trusted: Networks;
  /** Duration from which a request counts as slow; 0: none does. */
  readonly slowMs: number;
  /** Whether responses contain the timing of their parts for everyone. */
  readonly hasTiming: boolean;
}

/** Status of a request whose client closed the connection before the response, as reverse proxies use it. */
const CLIENT_CLOSED = 499;

/**
 * First middleware of the chain: gives every request its context and correlation id (returned as
 * X-Request-Id), and writes one log line and the request metrics once the response is complete or the
 * connection is closed.
 */
export function requestLog({ trusted, slowMs, hasTiming }: RequestLogOptions): Middleware {
  return (req, res, next) => {
    noteWork();
    const started = performance.now();
    const url = req.originalUrl ?? req.url ?? '';
    const question = url.indexOf('?');
    const context: RequestContext = {
      correlationId: acceptCorrelationId(req.headers['x-request-id']),
      traceId: traceIdOf(req.headers['traceparent']),
      remoteIp: clientAddress(req, trusted),
      method: req.method ?? '',
      path: question < 0 ? url : url.slice(0, question),
      route: undefined,
      params: undefined,
      userId: undefined,
      username: undefined,
      sudoUserId: undefined,
      arrivedAt: Date.now(),
      startedAt: started,
      dbCount: 0,
      dbDurationMs: 0,
      response: res,
      gone: undefined,
      statements: slowMs > 0 ? [] : undefined,
      span: undefined,
    };
    beginTrace(req, context);
    res.setHeader('X-Request-Id', context.correlationId);
    if (hasTiming) addTiming(res, context);
    res.on('close', () => {
      const durationMs = performance.now() - started;
      finish(req, res, context, durationMs, question >= 0);
      if (slowMs > 0) noteSlow(context, durationMs, slowMs);
    });
    requestContext.run(context, next);
  };
}

function finish(
  req: ServedRequest,
  res: ServerResponse,
  context: RequestContext,
  durationMs: number,
  hasQuery: boolean,
): void {
  const route = context.route ?? matchedRoute(req);
  const status = res.headersSent ? res.statusCode : CLIENT_CLOSED;
  context.route = route;
  observeRequest(context.method, route, status, durationMs / 1000);
  endTrace(context, status);
  if (!requestLogger.isEnabled) return;
  requestLogger.info({
    method: redactText(context.method, 32),
    route,
    path: redactText(context.path, 1024),
    params: loggedParams(req, context, hasQuery),
    status,
    aborted: res.writableFinished ? undefined : true,
    duration_s: seconds(durationMs),
    db_duration_s: seconds(context.dbDurationMs),
    db_count: context.dbCount,
    user_id: context.userId,
    username: context.username,
    sudo_user_id: context.sudoUserId,
    remote_ip: context.remoteIp,
    ua: userAgent(req.headers['user-agent']),
    correlation_id: context.correlationId,
    trace_id: context.traceId,
  });
}

/** Template of the route that Express matched. */
function matchedRoute(req: ServedRequest): string | undefined {
  const path = req.route?.path;
  return typeof path === 'string' ? (req.baseUrl ?? '') + path : undefined;
}

/** Merges query and body. `req.query` is parsed on each access, so it is read only if there is a query. */
function loggedParams(
  req: ServedRequest,
  context: RequestContext,
  hasQuery: boolean,
): Record<string, unknown> | undefined {
  if (context.params) return redactParams(context.params);
  const query = hasQuery ? plain(req.query) : undefined;
  const body = plain(req.body);
  if (query && body) return { ...redactParams(query), ...redactParams(body) };
  const only = query ?? body;
  return only && redactParams(only);
}

function plain(value: unknown): Record<string, unknown> | undefined {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return undefined;
  return Array.isArray(value) ? { _json: value } : (value as Record<string, unknown>);
}

let lastAgent = '';
let lastShown = '';

/** Reuses the last result, since the same few user agents repeat. */
function userAgent(agent: string | undefined): string | undefined {
  if (agent === undefined) return undefined;
  if (agent !== lastAgent) {
    lastAgent = agent;
    lastShown = redactText(agent, 256);
  }
  return lastShown;
}

/** Converts milliseconds to seconds with six decimals. */
function seconds(ms: number): number {
  return Math.round(ms * 1000) / 1e6;
}
