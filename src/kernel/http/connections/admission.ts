import type { Request, RequestHandler } from 'express';
import { registerGauge } from '#kernel/log/gauges.js';
import { countRejected } from '#kernel/log/metrics.js';
import { endOwner, noteStream, requestContext } from '#kernel/log/request-context.js';
import { hasBody } from '../bodies/body-parsers.js';
import { tooSlow } from '../bodies/taken-body.js';
import { unavailable, type HttpError } from '../errors.js';
import { sendError } from '../exception.filter.js';
import type { ApiRequest } from '../request.js';
import { admitLong, releaseLong } from '../routes/long-running.js';
import { ClientRequests } from './client-requests.js';
import { ArrivingBodies } from './arriving-bodies.js';

/** Options of the admission. */
export interface AdmissionOptions {
  readonly maxConcurrentRequests: number;
  readonly requestTimeoutMs: number;
  readonly isStopping: () => boolean;
}

/**
 * Rejects requests with 503 if too many run at a time or for one client, too many bodies are incomplete, or one takes too long, and with 408 if the client
 * stops sending; lets a stopping process finish its requests.
 */
export function admission(options: AdmissionOptions): RequestHandler {
  const { maxConcurrentRequests, requestTimeoutMs, isStopping } = options;
  const bodies = new ArrivingBodies(maxConcurrentRequests);
  const clients = new ClientRequests(maxConcurrentRequests);
  let running = 0;
  registerGauge(
    'http_requests_in_flight',
    'Requests that are being served, streams and git too',
    () => running,
  );
  return (request: ApiRequest, response, next) => {
    if (isStopping()) response.setHeader('Connection', 'close');
    const context = requestContext.getStore();
    const address = context?.remoteIp ?? '';
    const sender = hasBody(request) ? context : undefined;
    const isOver =
      (running >= maxConcurrentRequests || clients.isFull(address, running)) && !isSpared(request);
    if (isOver || (sender && bodies.isFull(sender.remoteIp, running))) {
      countRejected(isOver ? 'overload' : 'bodies');
      response.on('close', () => hangUp(request));
      sendError(request, response, unavailable(1));
      return;
    }
    running += 1;
    const leave = clients.add(address);
    const giveUp = (reason: string, error: HttpError): void => {
      countRejected(reason);
      if (response.headersSent) return;
      endOwner();
      // A client that is still sending would keep the connection open byte by byte.
      if (!request.complete) response.setHeader('Connection', 'close');
      sendError(request, response, error);
    };
    const isLong = admitLong(request);
    if (isLong) noteStream();
    // Uploads and pushes take as long as their clients need; their readers have limits of their own.
    const isUpload = isLong && request.found?.route.facts.rawBody === true;
    const onTimeout = (): void => {
      if (!isLong || !request.complete) giveUp('timeout', unavailable(5));
    };
    const timer = !isLong || (sender && !isUpload) ? setTimeout(onTimeout, requestTimeoutMs) : undefined;
    const refuse = sender && (() => requestContext.run(sender, giveUp, 'silent', tooSlow()));
    const end = sender && bodies.add(request, sender.remoteIp, isUpload ? undefined : refuse);
    response.on('close', () => {
      running -= 1;
      leave();
      clearTimeout(timer);
      if (isLong) releaseLong(request);
      end?.();
      hangUp(request);
    });
    next();
  };
}

/** Probes and pages are served under overload too, but for the streams of pages. */
const isSpared = ({ path, found }: ApiRequest): boolean =>
  path.startsWith('/-/') && found?.route.facts.longRunning !== true;

/** Time in which a client whose body is no longer wanted may finish sending it and read its answer. */
const LINGER_MS = 1_000;

/**
 * If the body has not been read to its end, discards the rest for a moment, then closes the connection, which
 * would otherwise stay open.
 */
function hangUp(request: Request): void {
  if (request.complete) return;
  const timer = setTimeout(() => request.socket.destroy(), LINGER_MS).unref();
  request.once('end', () => clearTimeout(timer));
  request.unpipe();
  request.resume();
}
