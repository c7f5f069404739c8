import express, { type NextFunction, type Request, type RequestHandler } from 'express';
import type { IncomingMessage } from 'node:http';
import { countRejected } from '#kernel/log/metrics.js';
import { QUERY_LIMITS } from './query-string.js';
import { HttpError } from './errors.js';
import { hasNamelessHashes } from './form-lists.js';
import { sendError } from './exception.filter.js';
import type { FormMethods } from './form-methods.js';
import { isTooDeep } from './json-depth.js';
import { countValues, MAX_JSON_VALUES, TOO_MANY_VALUES } from './json-values.js';
import type { RawBodyRoutes } from './raw-body.js';
import { isSmallForm, parseNested, readSmallForm } from './small-form.js';

/** Bytes of a JSON or form body (`decisions.md` 2.12). */
const MAX_BODY_BYTES = 10 * 1024 * 1024;

const contentType = ({ headers }: Pick<IncomingMessage, 'headers'>): string =>
  (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';

const isJson = (request: IncomingMessage): boolean =>
  /^application\/([\w.-]+\+)?json$/.test(contentType(request));

/** A body without a content type is read as a form, as v4 does. */
const isForm = (request: IncomingMessage): boolean =>
  ['', 'application/x-www-form-urlencoded'].includes(contentType(request));

/** JSON is UTF-8 whatever its charset says (RFC 8259, 11), and v4 takes any; the parser would refuse all but its own. */
const dropCharset: RequestHandler = (request, _response, next) => {
  if (isJson(request)) request.headers['content-type'] = contentType(request);
  next();
};

const hasBody = (request: Request): boolean =>
  request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;

/**
 * Reads JSON and forms into `request.body`; refuses what the API cannot read. Routes that read bodies themselves are left alone;
 * forms of pages get the method that they name.
 */
export function bodyParsers(raw: RawBodyRoutes, formMethods: FormMethods): RequestHandler {
  const json = express.json({
    limit: MAX_BODY_BYTES,
    strict: false,
    type: isJson,
    verify: (_request, _response, body) => refuseDepth(body),
  });
  // `depth` is newer than the type definitions of body-parser.
  const forms = { limit: MAX_BODY_BYTES, extended: true, depth: QUERY_LIMITS.depth, type: isForm };
  const form = express.urlencoded({
    ...forms,
    parameterLimit: QUERY_LIMITS.parameterLimit,
    verify: (request, _response, body) => keepNameless(request, body.toString('utf8')),
  });
  const parsers = express.Router().use(requireKnownBody, dropCharset, json, form);
  return (request, response, next) => {
    if (!hasBody(request) || raw.includes(request)) {
      next();
      return;
    }
    const done: NextFunction = (error?: unknown) => {
      if (error === undefined && isForm(request)) {
        readNameless(request);
        formMethods.apply(request);
      }
      next(error);
    };
    if (isSmallForm(request)) readSmallForm(request, done);
    else parsers(request, response, done);
  };
}

/** Long forms with lists of hashes without numbers, of which the general parser makes one hash. */
const nameless = new WeakMap<IncomingMessage, string>();

const keepNameless = (request: IncomingMessage, text: string): void => {
  if (hasNamelessHashes(text)) nameless.set(request, text);
};

/** Reads them once more, when the general parser has held them to its limits. */
function readNameless(request: Request): void {
  const text = nameless.get(request);
  if (text !== undefined) request.body = parseNested(text);
}

/** 415 for a body that the API cannot read. */
const requireKnownBody: RequestHandler = (request, response, next) => {
  const known = isJson(request) || isForm(request) || contentType(request) === 'multipart/form-data';
  if (known || !request.path.startsWith('/api/')) {
    next();
    return;
  }
  countRejected('content-type');
  response.setHeader('Connection', 'close');
  sendError(request, response, new HttpError(415, { message: '415 Unsupported Media Type' }));
};

/** @throws the parser's own error for JSON with more levels, and one that it knows for more values, than allowed. */
function refuseDepth(body: Buffer): void {
  // Making values takes a thousand times as long as reading their text.
  if (countValues(body, MAX_JSON_VALUES + 1) > MAX_JSON_VALUES)
    throw Object.assign(new Error('Too many values'), { type: TOO_MANY_VALUES });
  if (isTooDeep(body)) throw Object.assign(new Error('Too deep'), { type: 'entity.parse.failed' });
}
