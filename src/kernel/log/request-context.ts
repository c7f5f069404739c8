import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { unavailable } from '#kernel/http/errors.js';
import { tracer, type Span, type SpanAttributes, type SpanKind } from '#kernel/tracing/span.js';

/** A statement, without values, and its duration. */
export interface TimedStatement {
  readonly text: string;
  readonly ms: number;
}

/** Limit of statements kept per request. */
const MAX_STATEMENTS = 100;
/** Longer texts are truncated in traces. */
const MAX_TEXT = 2_000;

/**
 * Context of the current request or job. It is filled in as the work proceeds, and read by logs, audit and
 * outbound calls.
 */
export interface RequestContext {
  correlationId: string;
  /** Trace id of a valid `traceparent` header. */
  traceId?: string | undefined;
  remoteIp: string;
  method: string;
  /** Path without query, as sent. */
  path: string;
  /** Route template, such as `/api/v4/projects/:id`; never the path itself. */
  route?: string | undefined;
  /** Parameters to log instead of query and body, if they have already been merged. */
  params?: Readonly<Record<string, unknown>> | undefined;
  userId?: number | undefined;
  username?: string | undefined;
  /** Id of the administrator who acts as the user. */
  sudoUserId?: number | undefined;
  /** Time of arrival in milliseconds since 1970; jobs have none. */
  arrivedAt?: number | undefined;
  /** The same by the clock of this process, which is never set (`performance.now`). */
  startedAt?: number | undefined;
  dbCount: number;
  dbDurationMs: number;
  /** The first statements, for the log of slow requests; jobs keep none. */
  statements?: TimedStatement[] | undefined;
  /** Whether it streams, so that its duration depends on the client. */
  isStream?: boolean | undefined;
  /** Span of the work, if tracing is enabled. */
  span?: Span | undefined;
  /** The response; jobs have none. */
  response?: ServerResponse | undefined;
  /** Aborted when the result is no longer needed; for requests it is created on first use. */
  gone?: AbortController | undefined;
  /** Whether it continues to its end even if no caller waits for it. */
  goesOn?: boolean | undefined;
  /** Whether it has a transaction open. */
  isWriting?: boolean | undefined;
}

/** The context of the current request or job. */
export const requestContext = new AsyncLocalStorage<RequestContext>();

/** Accepted form of X-Request-Id; anything else is replaced. */
const ACCEPTED_ID = /^[\w.-]{1,128}$/;
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?$/;

const processPrefix = randomBytes(9).toString('base64url');
let requestCounter = 0;

/** Creates an id that is unique across processes and restarts, and cheaper than a UUID. */
export function newCorrelationId(): string {
  requestCounter += 1;
  return `${processPrefix}-${requestCounter.toString(36)}`;
}

/** Returns the caller's id if it is well formed, otherwise a new one. */
export function acceptCorrelationId(header: string | string[] | undefined): string {
  return typeof header === 'string' && ACCEPTED_ID.test(header) ? header : newCorrelationId();
}

/** Trace id of a valid W3C `traceparent` header. */
export function traceIdOf(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && header.length <= 256 ? TRACEPARENT.exec(header)?.[1] : undefined;
}

/** Id to pass to jobs and outbound requests, if there is a current request or job. */
export function currentCorrelationId(): string | undefined {
  return requestContext.getStore()?.correlationId;
}

/**
 * Aborted when the result of the current work is no longer needed: the client has closed the connection
 * before the response (with a 503 that will not be read), its time is up, or a job has to end. Undefined
 * outside of both.
 */
export function ownerGone(): AbortSignal | undefined {
  const context = requestContext.getStore();
  if (!context || context.goesOn) return undefined;
  if (!context.gone && context.response) context.gone = goneOf(context.response);
  return context.gone?.signal;
}

/**
 * From here on the current request continues to its end even if the client is gone: what it has begun must
 * not stay half done.
 */
export function goOnAlone(): void {
  const context = requestContext.getStore();
  if (context?.response) context.goesOn = true;
}

/** Ends the work of the current request, whose time is up. */
export function endOwner(): void {
  const context = requestContext.getStore();
  if (!context?.response || context.goesOn) return;
  context.gone ??= goneOf(context.response);
  context.gone.abort(unavailable());
}

/** Marks the current request as a stream, whose duration means nothing. */
export function noteStream(): void {
  const context = requestContext.getStore();
  if (context) context.isStream = true;
}

/** Ends the current job and its work when `abort` is aborted. */
export function ownJob(abort: AbortController): void {
  const context = requestContext.getStore();
  if (context) context.gone = abort;
}

function goneOf(response: ServerResponse): AbortController {
  const controller = new AbortController();
  const leave = (): void => {
    if (!response.writableFinished) controller.abort(unavailable());
  };
  if (response.destroyed) leave();
  else response.once('close', leave);
  return controller;
}

/** Begins a statement of the current request; the returned function counts it, wherever it is called. */
export function beginQuery(text = ''): () => void {
  const context = requestContext.getStore();
  if (!context) return nothing;
  const started = performance.now();
  const span = context.span && beginSpan('postgresql', 'client', queryAttributes(text), context);
  return () => {
    const ms = performance.now() - started;
    context.dbCount += 1;
    context.dbDurationMs += ms;
    if (context.statements && context.statements.length < MAX_STATEMENTS)
      context.statements.push({ text, ms });
    span?.end();
  };
}

const queryAttributes = (text: string): SpanAttributes => ({
  'db.system.name': 'postgresql',
  'db.operation.name': /^\s*(\w+)/.exec(text)?.[1]?.toLowerCase(),
  'db.query.text': text.slice(0, MAX_TEXT),
});

/** Begins a span of the current request or job; undefined if tracing is disabled or there is no parent. */
export function beginSpan(
  name: string,
  kind: SpanKind,
  attributes: SpanAttributes,
  context = requestContext.getStore(),
): Span | undefined {
  return context?.span && tracer()?.begin(name, kind, attributes, context.span);
}

/** Runs work in a separate span if tracing is enabled. */
export async function inSpan<T>(
  name: string,
  kind: SpanKind,
  attributes: SpanAttributes,
  work: () => Promise<T>,
): Promise<T> {
  const span = beginSpan(name, kind, attributes);
  if (!span) return work();
  try {
    const result = await work();
    span.end();
    return result;
  } catch (error) {
    span.end({ error });
    throw error;
  }
}

/** Origin of a job, for its row: the correlation id, with the `traceparent` if tracing is enabled. */
export function jobOrigin(): string | null {
  const context = requestContext.getStore();
  if (!context) return null;
  return context.span ? `${context.correlationId} ${context.span.traceparent}` : context.correlationId;
}

const nothing = (): void => undefined;

/** Runs a job with the correlation id and trace of its origin (`jobOrigin`), or with a new id. */
export async function runAsJob<T>(
  name: string,
  origin: string | null | undefined,
  work: () => T | Promise<T>,
): Promise<T> {
  const [correlationId, traceparent] = origin?.split(' ') ?? [];
  const span = tracer()?.begin(
    `job ${name}`,
    'consumer',
    { 'messaging.destination.name': name },
    traceparent,
  );
  const context: RequestContext = {
    correlationId: acceptCorrelationId(correlationId),
    traceId: span?.traceId,
    remoteIp: '',
    method: 'JOB',
    path: name,
    dbCount: 0,
    dbDurationMs: 0,
    span,
  };
  try {
    const result = await requestContext.run(context, work);
    span?.end(result instanceof Error ? { error: result } : {});
    return result;
  } catch (error) {
    span?.end({ error });
    throw error;
  }
}
