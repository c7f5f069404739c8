import { Catch, HttpException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { STATUS_CODES } from 'node:http';
import { isTransient } from '#kernel/database/transient.js';
import { isStoreRefusal, storeRefusal } from '#kernel/object-storage/store-refusal.js';
import { errorPageFor } from '#kernel/html/error-page.js';
import { writePage } from '#kernel/html/page-answer.js';
import { logger } from '#kernel/log/logger.js';
import { diskRefusal, isDiskRefusal } from '../disk/disk-refusal.js';
import { translateError } from './error-translation.js';
import { badRequest, CHALLENGE, HttpError, methodNotAllowed, unavailable, unknownRoute } from './errors.js';
import type { ApiRequest } from './request.js';
import { allowedMethods } from './routes/find-route.js';

/**
 * Converts every error into the documented JSON body, or into a page for people; unexpected errors become a
 * bare 500.
 */
@Catch()
export class ExceptionToJson implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const [request, response] = [http.getRequest<ApiRequest>(), http.getResponse<Response>()];
    if (request.judgeFailure) void judged(request, response, error, request.judgeFailure(error));
    else sendError(request, response, error);
  }
}

async function judged(
  request: Request,
  response: Response,
  error: unknown,
  judgement: Promise<unknown>,
): Promise<void> {
  sendError(request, response, await judgement.catch(() => error));
}

/** Writes the response to an error; if a response has already begun, closes the connection instead. */
export function sendError(request: Request, response: Response, error: unknown): void {
  if (response.headersSent) {
    // A complete response (that of the timeout) stands; one that has only begun must not look complete.
    if (!response.writableEnded) response.destroy();
    return;
  }
  const failure = toHttpError(request, error);
  const told = translateError(request, failure);
  const { status, body, headers } = told ?? failure;
  // An unread rest of the body must not be parsed as the next request.
  if (status === 413) response.setHeader('Connection', 'close');
  // Every 401 has a challenge (RFC 9110 15.5.2); a more specific one is among the headers of the error.
  if (status === 401) response.setHeader('WWW-Authenticate', CHALLENGE);
  const page = told ? null : errorPageFor(request, failure);
  if (page) {
    writePage(response, page);
    return;
  }
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (status === 401) alsoAskFor(response, (request as ApiRequest).challenge);
  const text = body === null ? '' : JSON.stringify(body);
  response.statusCode = status;
  if (body !== null) response.setHeader('Content-Type', 'application/json');
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(request.method === 'HEAD' ? undefined : text);
}

/** Adds a scheme before the challenge of a 401: clients use the first that they know. */
function alsoAskFor(response: Response, challenge: string | undefined): void {
  if (challenge !== undefined)
    response.setHeader('WWW-Authenticate', `${challenge}, ${String(response.getHeader('WWW-Authenticate'))}`);
}

function toHttpError(request: Request, error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  if (error instanceof URIError) return badRequest('400 Bad request');
  if (error instanceof HttpException) return fromNest(request, error);
  if (isMeantForClients(error))
    return new HttpError(error.status, {
      message: `${error.status} ${STATUS_CODES[error.status] ?? 'Refused'}`,
    });
  if (isDiskRefusal(error)) return diskRefusal(error);
  if (isStoreRefusal(error)) return storeRefusal(error);
  if (isTransient(error)) {
    logger.warn({ error }, 'A dependency did not respond');
    return unavailable(2);
  }
  logger.error({ error }, 'Request failed');
  return new HttpError(500, { message: '500 Internal Server Error' });
}

/**
 * Web libraries mark errors for clients by `expose`; an error with only a status may come from a server that
 * we called.
 */
const isMeantForClients = (error: unknown): error is { readonly status: number } =>
  error instanceof Error &&
  (error as { expose?: unknown }).expose === true &&
  /^4\d\d$/.test(String((error as { status?: unknown }).status));

function fromNest(request: Request, error: HttpException): HttpError {
  const status = error.getStatus();
  if (status === 404) {
    const allowed = allowedMethods(request);
    return allowed.length > 0 ? methodNotAllowed(allowed) : unknownRoute();
  }
  if (status === 413) return new HttpError(413, { message: '413 Request Entity Too Large' });
  if (status === 503) return unavailable();
  return new HttpError(status, { message: `${status} ${error.message}` });
}
