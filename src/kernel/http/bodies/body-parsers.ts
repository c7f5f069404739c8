import type { Request, RequestHandler } from 'express';
import type { IncomingMessage } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { countRejected } from '#kernel/log/metrics.js';
import { readWholeBody } from './whole-body.js';
import { HttpError } from '../errors.js';
import { sendError } from '../exception.filter.js';
import type { ApiRequest } from '../request.js';
import { applyFormMethod } from './form-methods.js';
import { parseForm, parseJson } from './json/parse-body.js';
import { isSmallForm, readSmallForm } from './small-form.js';

/** Size from which parsing a body yields to other requests before and after. */
const LARGE = 256 * 1024;

const contentType = ({ headers }: Pick<IncomingMessage, 'headers'>): string =>
  (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';

const isJson = (request: IncomingMessage): boolean =>
  /^application\/([\w.-]+\+)?json$/.test(contentType(request));

/** A body without a content type is read as a form, as v4 does. */
const isForm = (request: IncomingMessage): boolean =>
  ['', 'application/x-www-form-urlencoded'].includes(contentType(request));

/** Whether a request has a body, complete or not. */
export const hasBody = (request: Pick<Request, 'headers'>): boolean =>
  request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;

/**
 * Parses JSON and forms into `request.body`, and refuses other bodies that the API cannot read. Skips routes that read the body themselves;
 * applies the `_method` field to forms of pages.
 */
export const bodyParsers: RequestHandler = (request: ApiRequest, response, next) => {
  const done = (error?: unknown): void => {
    if (error === undefined && isForm(request)) applyFormMethod(request);
    next(error);
  };
  if (!hasBody(request) || request.found?.route.facts.rawBody) next();
  else if (isSmallForm(request)) readSmallForm(request, done);
  else if (isJson(request) || isForm(request)) {
    const parse = isJson(request) ? parseJson : parseForm;
    readWholeBody(request, response)
      .then(async (body) => {
        if (body.length > LARGE) await nextTurn();
        request.body = await parse(body, request.headers);
        if (body.length > LARGE) await nextTurn();
      })
      .then(done, done);
  } else if (contentType(request) === 'multipart/form-data' || !request.path.startsWith('/api/')) next();
  else {
    countRejected('content-type');
    response.setHeader('Connection', 'close');
    sendError(request, response, new HttpError(415, { message: '415 Unsupported Media Type' }));
  }
};
