import express, {
  type Application,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import { countRejected } from '#kernel/log/metrics.js';
import { corsForApi } from './cors.js';
import { HttpError, Unavailable } from './errors.js';
import { sendError } from './exception.filter.js';
import { QUERY_LIMITS } from './adapter.js';

/** Bytes of a request target (`decisions.md` 2.12). */
const MAX_URL_BYTES = 8192;
/** Bytes of a JSON or form body (`decisions.md` 2.12). */
const MAX_BODY_BYTES = 10 * 1024 * 1024;

/** What the pipeline needs to know of its process. */
export interface PipelineOptions {
  readonly maxConcurrentRequests: number;
  readonly requestTimeoutMs: number;
  readonly isStopping: () => boolean;
}

/** Installs everything that happens to a request before its route is looked for; the request log comes before this. */
export function installPipeline(app: Application, options: PipelineOptions): void {
  app.use(securityHeaders, limitUrl, admission(options), corsForApi, requireKnownBody);
  app.use(express.json({ limit: MAX_BODY_BYTES, strict: false, type: isJson }));
  // `depth` is newer than the type definitions of body-parser.
  const forms = { limit: MAX_BODY_BYTES, extended: true, depth: QUERY_LIMITS.depth, type: isForm };
  app.use(express.urlencoded({ ...forms, parameterLimit: QUERY_LIMITS.parameterLimit }));
  // Failures of the parsers reach Express, not Nest: the same answer either way.
  app.use((error: unknown, request: Request, response: Response, _next: NextFunction) => {
    countRejected('body');
    sendError(request, response, error);
  });
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

const limitUrl: RequestHandler = (request, response, next) => {
  if (request.originalUrl.length <= MAX_URL_BYTES) {
    next();
    return;
  }
  countRejected('url');
  sendError(request, response, new HttpError(414, { message: '414 Request-URI Too Large' }));
};

/** Refuses with 503 what is too much at a time, and what takes too long; lets a stopping process finish what runs. */
function admission({ maxConcurrentRequests, requestTimeoutMs, isStopping }: PipelineOptions): RequestHandler {
  let running = 0;
  return (request, response, next) => {
    if (isStopping()) response.setHeader('Connection', 'close');
    if (running >= maxConcurrentRequests && !request.path.startsWith('/-/')) {
      countRejected('overload');
      sendError(request, response, Unavailable(1));
      return;
    }
    running += 1;
    const timer = setTimeout(() => {
      countRejected('timeout');
      if (!response.headersSent) sendError(request, response, Unavailable(5));
    }, requestTimeoutMs);
    response.once('close', () => {
      running -= 1;
      clearTimeout(timer);
    });
    next();
  };
}

const contentType = (request: { headers: Request['headers'] }): string =>
  (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';

const isJson = (request: { headers: Record<string, unknown> }): boolean =>
  /^application\/([\w.-]+\+)?json$/.test(contentType(request as Request));

/** A body without a content type is read as a form, as v4 does. */
const isForm = (request: { headers: Record<string, unknown> }): boolean =>
  ['', 'application/x-www-form-urlencoded'].includes(contentType(request as Request));

const hasBody = (request: Request): boolean =>
  request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;

/** 415 for a body that the API cannot read. */
const requireKnownBody: RequestHandler = (request, response, next) => {
  const known =
    !hasBody(request) || isJson(request) || isForm(request) || contentType(request) === 'multipart/form-data';
  if (known || !request.path.startsWith('/api/')) {
    next();
    return;
  }
  countRejected('content-type');
  response.setHeader('Connection', 'close');
  sendError(request, response, new HttpError(415, { message: '415 Unsupported Media Type' }));
};
