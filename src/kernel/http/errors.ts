import { problemsAsText } from './problem-texts.js';

/** Text of a body for readers of the error itself: logs, jobs, and messages made from it. */
const textOf = (body: Readonly<Record<string, unknown>> | null): string =>
  problemsAsText(body?.['message'] ?? body?.['error_description'] ?? body?.['error'] ?? '');

/**
 * An error response: status, exact JSON body (null: none) and extra headers. The exception filter writes it
 * unchanged.
 */
export class HttpError extends Error {
  constructor(
    readonly status: number,
    readonly body: Readonly<Record<string, unknown>> | null,
    readonly headers: Readonly<Record<string, string | string[]>> = {},
  ) {
    super(textOf(body) || String(status));
  }
}

/** 404 `404 <Kind> Not Found`; Kind in title case, as `decisions.md` 2.5 lists them. */
export const notFound = (kind: string): HttpError => new HttpError(404, { message: `404 ${kind} Not Found` });

/** 404 of a route that does not exist. */
export const unknownRoute = (): HttpError => new HttpError(404, { error: '404 Not Found' });

/** Default challenge for callers without a credential. */
export const CHALLENGE = 'Bearer realm="Forgeplane"';

/** Challenge on routes that accept HTTP Basic. */
export const BASIC_CHALLENGE = 'Basic realm="Forgeplane"';

/** 401 without details. */
export const unauthorized = (): HttpError => new HttpError(401, { message: '401 Unauthorized' });

/** 403, with a reason where the specification defines one. */
export const forbidden = (reason?: string): HttpError =>
  new HttpError(403, { message: reason === undefined ? '403 Forbidden' : `403 Forbidden - ${reason}` });

/** 400 with a plain text as message. */
export const badRequest = (text: string): HttpError => new HttpError(400, { message: text });

/** 400 with the problems of attributes: `{"message":{"<attribute>":["<text>"]}}`. */
export const invalid = (problems: Readonly<Record<string, unknown>>): HttpError =>
  new HttpError(400, { message: problems });

/** 400 naming one missing attribute (`decisions.md` 2.2). */
export const missingAttribute = (name: string): HttpError =>
  new HttpError(400, { message: `400 (Bad request) "${name}" not given` });

/** 400 for a change without any attribute. */
export const nothingGiven = (): HttpError => invalid({ base: ['at least one parameter must be provided'] });

/** 405 on a known path, with the methods that it has. */
export const methodNotAllowed = (allow: readonly string[]): HttpError =>
  new HttpError(405, { message: '405 Method Not Allowed' }, { Allow: allow.join(', ') });

/** 409 with a plain text as message. */
export const conflict = (text = '409 Conflict'): HttpError => new HttpError(409, { message: text });

/** 412 of a conditional request. */
export const preconditionFailed = (): HttpError => new HttpError(412, { message: '412 Precondition Failed' });

/** 503 with the seconds after which the client may try again. */
export const unavailable = (retryAfterSeconds = 1): HttpError =>
  new HttpError(503, { message: '503 Service Unavailable' }, { 'Retry-After': String(retryAfterSeconds) });

const challenge = (error: string, description: string): string =>
  `Bearer realm="Protected by OAuth 2.0", error="${error}", error_description="${description}"`;

/** 401 for a token that was once valid: expired, revoked, or of a disabled kind (RFC 6750 3.1). */
export const invalidToken = (description: string): HttpError =>
  new HttpError(
    401,
    { error: 'invalid_token', error_description: description },
    { 'WWW-Authenticate': challenge('invalid_token', description) },
  );

/** 403 for a token whose scopes are not sufficient; `scopes` are those that would be. */
export const insufficientScope = (scopes: readonly string[]): HttpError => {
  const description = 'The request requires higher privileges than provided by the access token.';
  return new HttpError(
    403,
    { error: 'insufficient_scope', error_description: description, scope: scopes.join(' ') },
    { 'WWW-Authenticate': `${challenge('insufficient_scope', description)}, scope="${scopes.join(' ')}"` },
  );
};

/** 405 for an order or a list without keyset pagination (`decisions.md` 2.9). */
export const keysetUnavailable = (): HttpError =>
  new HttpError(405, { error: 'Keyset pagination is not yet available for this type of request' });
