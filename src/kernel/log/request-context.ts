import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { unavailable } from '#kernel/http/errors.js';

/** What is known of the request or job that is being served; filled in as it proceeds, read by logs, audit and outbound calls. */
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
  /** Parameters to log instead of query and body, where somebody has merged them already. */
  params?: Readonly<Record<string, unknown>> | undefined;
  userId?: number | undefined;
  username?: string | undefined;
  /** Id of the administrator who acts as the user. */
  sudoUserId?: number | undefined;
  /** When it arrived, in milliseconds since 1970; jobs have none. */
  arrivedAt?: number | undefined;
  dbCount: number;
  dbDurationMs: number;
  /** Where the answer goes; jobs have none. */
  response?: ServerResponse | undefined;
  /** Aborted when nobody waits for the end of it any more; of requests made for whoever asks first. */
  gone?: AbortController | undefined;
  /** It goes on to its end, whoever waits for it. */
  goesOn?: boolean | undefined;
}

/** The context of the running request or job. */
export const requestContext = new AsyncLocalStorage<RequestContext>();

/** Accepted form of X-Request-Id; anything else is replaced. */
const ACCEPTED_ID = /^[\w.-]{1,128}$/;
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?$/;

const processPrefix = randomBytes(9).toString('base64url');
let requestCounter = 0;

/** A new id, unique over processes and restarts, cheaper than a UUID. */
export function newCorrelationId(): string {
  requestCounter += 1;
  return `${processPrefix}-${requestCounter.toString(36)}`;
}

/** The caller's id when it is well formed, a new one otherwise. */
export function acceptCorrelationId(header: string | string[] | undefined): string {
  return typeof header === 'string' && ACCEPTED_ID.test(header) ? header : newCorrelationId();
}

/** Trace id of a valid W3C `traceparent` header. */
export function traceIdOf(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && header.length <= 256 ? TRACEPARENT.exec(header)?.[1] : undefined;
}

/** Id to hand to jobs and outbound requests, if something is being served. */
export function currentCorrelationId(): string | undefined {
  return requestContext.getStore()?.correlationId;
}

/**
 * Aborted when nobody waits any more for what is being served: the client of a request has gone away before its answer (with a 503 that nobody
 * will read), its time is over, or a job is to end. Undefined outside of both.
 */
export function ownerGone(): AbortSignal | undefined {
  const context = requestContext.getStore();
  if (!context || context.goesOn) return undefined;
  if (!context.gone && context.response) context.gone = goneOf(context.response);
  return context.gone?.signal;
}

/** From here on the running request goes on to its end, whoever waits for it: what it has begun must not stay half done. */
export function goOnAlone(): void {
  const context = requestContext.getStore();
  if (context?.response) context.goesOn = true;
}

/** The time of the running request is over: what it has under way ends. */
export function endOwner(): void {
  const context = requestContext.getStore();
  if (!context?.response || context.goesOn) return;
  context.gone ??= goneOf(context.response);
  context.gone.abort(unavailable());
}

/** The running job ends when `abort` says so, and what it has under way with it. */
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

/** Begins a statement of the running request; the function that it returns counts it, wherever it is called. */
export function beginQuery(): () => void {
  const context = requestContext.getStore();
  if (!context) return nothing;
  const started = performance.now();
  return () => {
    context.dbCount += 1;
    context.dbDurationMs += performance.now() - started;
  };
}

const nothing = (): void => undefined;

/** Runs a job under the correlation id of the request that asked for it, or under a new one. */
export function runAsJob<T>(name: string, correlationId: string | undefined, work: () => T): T {
  return requestContext.run(
    {
      correlationId: acceptCorrelationId(correlationId),
      remoteIp: '',
      method: 'JOB',
      path: name,
      dbCount: 0,
      dbDurationMs: 0,
    },
    work,
  );
}
