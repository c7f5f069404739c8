import type { Application, NextFunction, Request, RequestHandler, Response } from 'express';
import { countRejected, registerGauge } from '#kernel/log/metrics.js';
import { endOwner, noteStream } from '#kernel/log/request-context.js';
import { bodyParsers } from './bodies/body-parsers.js';
import { cors } from './cors/cors.js';
import { badRequest, HttpError, unavailable, unknownRoute } from './errors.js';
import { sendError } from './exception.filter.js';
import { queryParameter } from './request.js';
import { findRoute, runRoute } from './routes/find-route.js';
import { admitLong, releaseLong } from './routes/long-running.js';

/** Limit of a request target in bytes (`decisions.md` 2.12). */
const MAX_URL_BYTES = 8192;

/** Options of the pipeline. */
export interface PipelineOptions {
  /** Scheme and host of our own pages, as browsers send them in `Origin`. */
  readonly ownOrigin: string;
  readonly maxConcurrentRequests: number;
  readonly requestTimeoutMs: number;
  readonly isStopping: () => boolean;
  /** The only paths to serve; if omitted, all that have a route. */
  readonly onlyPaths?: readonly string[] | undefined;
  /** Runs before everything else. */
  readonly requestLog: RequestHandler;
}

/** Installs everything that happens to a request before its route is run. */
export function installPipeline(app: Application, options: PipelineOptions): void {
  const gate = options.onlyPaths ? [requirePath(new Set(options.onlyPaths))] : [];
  app.use(
    inOrder([
      options.requestLog,
      securityHeaders,
      dropOrigin,
      limitUrl,
      requireReadableUrl,
      refuseXml,
      ...gate,
      findRoute,
      admission(options),
      cors(options.ownOrigin),
      bodyParsers,
      runRoute,
    ]),
  );
  // Errors of the parsers reach Express, not Nest; the response is the same.
  app.use((error: unknown, request: Request, response: Response, _next: NextFunction) => {
    countRejected('body');
    sendError(request, response, error);
  });
}

/** Combines handlers into one layer of the router, because each layer has a cost. */
function inOrder(handlers: readonly RequestHandler[]): RequestHandler {
  return handlers.reduceRight<RequestHandler>(
    (rest, handler) => (request, response, next) => {
      const goOn: NextFunction = (error?: unknown) => {
        if (error === undefined) void rest(request, response, next);
        else next(error);
      };
      // Errors after a body that arrived later would otherwise not be caught.
      try {
        (handler(request, response, goOn) as Promise<void> | undefined)?.catch(next);
      } catch (error) {
        next(error);
      }
    },
    (_request, _response, next) => next(),
  );
}

const securityHeaders: RequestHandler = (_request, response, next) => {
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('X-Frame-Options', 'SAMEORIGIN');
  response.setHeader('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'");
  response.setHeader('Referrer-Policy', 'same-origin');
  response.setHeader('Cache-Control', 'max-age=0, private, must-revalidate');
  response.setHeader('Vary', 'Origin');
  next();
};

/**
 * Reduces an absolute target (`GET http://host/path`) to its path, since links and redirects are built from
 * it with our host.
 */
const dropOrigin: RequestHandler = (request, _response, next) => {
  if (!request.originalUrl.startsWith('/')) {
    const target = request.originalUrl.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '');
    request.url = request.originalUrl = target.startsWith('/') ? target : `/${target}`;
  }
  next();
};

const limitUrl: RequestHandler = (request, response, next) => {
  if (request.originalUrl.length <= MAX_URL_BYTES) {
    next();
    return;
  }
  countRejected('url');
  sendError(request, response, new HttpError(414, { message: '414 Request-URI Too Large' }));
};

/** A NUL, or a percent sign without two hexadecimal digits. */
const UNREADABLE_PATH = /%00|%(?![0-9a-f]{2})/i;
const UNREADABLE_QUERY = /%(?![0-9a-f]{2})/i;

/** 400 for invalid escapes, which each part of the service would interpret differently. */
const requireReadableUrl: RequestHandler = (request, response, next) => {
  const url = request.originalUrl;
  const question = url.indexOf('?');
  if (!url.includes('%') || isReadable(url, question < 0 ? url.length : question)) {
    next();
    return;
  }
  countRejected('url');
  sendError(request, response, badRequest('400 Bad request'));
};

/** 406: clients of older API versions may request XML, and must not get JSON instead. */
const refuseXml: RequestHandler = (request, response, next) => {
  const isAsked = queryParameter(request, 'format') === 'xml';
  if (isAsked && request.path.startsWith('/api/')) {
    sendError(
      request,
      response,
      new HttpError(406, { error: "The requested format 'xml' is not supported." }),
    );
  } else next();
};

function isReadable(url: string, question: number): boolean {
  const path = url.slice(0, question);
  if (UNREADABLE_PATH.test(path) || UNREADABLE_QUERY.test(url.slice(question))) return false;
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** 404 for all other paths; no route registered after this is reached. */
const requirePath =
  (paths: ReadonlySet<string>): RequestHandler =>
  (request, response, next) => {
    if (paths.has(request.path)) next();
    else sendError(request, response, unknownRoute());
  };

/**
 * Rejects requests with 503 if too many run at a time or one takes too long; lets a stopping process finish
 * its requests.
 */
function admission({ maxConcurrentRequests, requestTimeoutMs, isStopping }: PipelineOptions): RequestHandler {
  let running = 0;
  registerGauge(
    'http_requests_in_flight',
    'Requests that are being served, streams and git too',
    () => running,
  );
  return (request, response, next) => {
    if (isStopping()) response.setHeader('Connection', 'close');
    if (running >= maxConcurrentRequests && !request.path.startsWith('/-/')) {
      countRejected('overload');
      sendError(request, response, unavailable(1));
      return;
    }
    running += 1;
    const onTimeout = (): void => {
      countRejected('timeout');
      if (response.headersSent) return;
      endOwner();
      // A client that is still sending would keep the connection open byte by byte.
      if (!request.complete) response.setHeader('Connection', 'close');
      sendError(request, response, unavailable(5));
    };
    const isLong = admitLong(request);
    if (isLong) noteStream();
    const timer = isLong ? undefined : setTimeout(onTimeout, requestTimeoutMs);
    response.on('close', () => {
      running -= 1;
      if (timer) clearTimeout(timer);
      else releaseLong(request);
      if (!request.complete) hangUp(request);
    });
    next();
  };
}

/** Time in which a client whose body is no longer wanted may finish sending it and read its answer. */
const LINGER_MS = 1_000;

/**
 * The response is complete, but the body has not been read to its end: discards the rest for a moment, then
 * closes the connection, which would otherwise stay open.
 */
function hangUp(request: Request): void {
  const timer = setTimeout(() => request.socket.destroy(), LINGER_MS).unref();
  request.once('end', () => clearTimeout(timer));
  request.unpipe();
  request.resume();
}
