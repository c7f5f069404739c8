import type { Application, NextFunction, Request, RequestHandler, Response } from 'express';
import { countRejected } from '#kernel/log/metrics.js';
import { bodyParsers } from './bodies/body-parsers.js';
import { admission, type AdmissionOptions } from './connections/admission.js';
import { cors } from './cors/cors.js';
import { badRequest, HttpError, unknownRoute } from './errors.js';
import { sendError } from './exception.filter.js';
import { queryParameter } from './request.js';
import { findRoute, runRoute } from './routes/find-route.js';

/** Limit of a request target in bytes (`decisions.md` 2.12). */
const MAX_URL_BYTES = 8192;

/** Options of the pipeline. */
export interface PipelineOptions extends AdmissionOptions {
  /** Scheme and host of our own pages, as browsers send them in `Origin`. */
  readonly ownOrigin: string;
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
      joinSlashes,
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

/**
 * Ignores empty segments of a path: python-gitlab sends `/features//name`, and bases often end in a slash. A path inside
 * an archive is judged as it was sent.
 */
const joinSlashes: RequestHandler = (request, _response, next) => {
  const [path = '', ...query] = request.originalUrl.includes('//') ? request.originalUrl.split('?') : [];
  const archive = path.indexOf('/artifacts/');
  const route = archive < 0 ? path : path.slice(0, archive);
  if (route.includes('//')) {
    const joined = route.replace(/\/{2,}/g, '/') + path.slice(route.length);
    request.url = request.originalUrl = [joined, ...query].join('?');
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
