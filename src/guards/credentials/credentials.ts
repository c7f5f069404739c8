import { HttpError, invalid } from '#kernel/http/errors.js';
import { looksLikeJobToken } from '#core/ci/runners/job-token-prefix.js';
import { queryParameter, type ApiRequest } from '#kernel/http/request.js';

/** Credentials as they were sent; at most one kind is used, in the order of `auth-core.md` 2.1. */
export type SentCredential =
  | { readonly kind: 'none' }
  /** `Authorization: Bearer` or `access_token`: read by the bearer strategy. */
  | { readonly kind: 'bearer'; readonly header: string | undefined; readonly parameter: string | undefined }
  /** `PRIVATE-TOKEN` or `private_token`. */
  | { readonly kind: 'private'; readonly token: string }
  | { readonly kind: 'job'; readonly token: string }
  | { readonly kind: 'session'; readonly secret: string; readonly csrf: string | null };

const SESSION_COOKIE = /(?:^|;\s*)_service_session=([^;]*)/;

/** A parameter of query or body as sent; null counts as missing. */
function parameter(request: ApiRequest, name: string): unknown {
  const body: unknown = request.body;
  return (
    queryParameter(request, name) ??
    (typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[name] : undefined)
  );
}

/** A credential as sent; anything but a text counts as a wrong one, not as a missing one. */
function sent(request: ApiRequest, name: string): string | undefined {
  const value = parameter(request, name);
  if (value === undefined || value === null) return undefined;
  return typeof value === 'string' ? value : '';
}

const header = (request: ApiRequest, name: string): string | undefined => {
  const value = request.headers[name];
  return typeof value === 'string' ? value : undefined;
};

/** Node keeps the first of several `Authorization` headers, a proxy in front perhaps the last: nobody can say who calls. */
function refuseRepeated(request: ApiRequest): void {
  const isAuthorization = (name: string, index: number): boolean =>
    index % 2 === 0 && name.length === 13 && name.toLowerCase() === 'authorization';
  if (request.rawHeaders.filter(isAuthorization).length > 1) {
    const description = 'More than one Authorization header was sent.';
    throw new HttpError(400, { error: 'invalid_request', error_description: description });
  }
}

/**
 * The credentials of a request, looked for once, by the token guard first; `basic`: HTTP Basic is taken.
 * @throws 400 when it has more than one `Authorization` header
 */
export function findCredential(request: ApiRequest, basic = false): SentCredential {
  const credential = (request.credential as SentCredential | undefined) ?? readCredential(request, basic);
  request.credential = credential;
  return credential;
}

/** The token of HTTP Basic, under whatever user name; what cannot be one is a wrong credential, not a missing one. */
function basicCredential(authorization: string): SentCredential {
  const text = Buffer.from(authorization.slice('basic '.length), 'base64').toString('utf8');
  const token = /^[^:]+:(.+)$/s.exec(text)?.[1] ?? '';
  return looksLikeJobToken(token) ? { kind: 'job', token } : { kind: 'private', token };
}

function readCredential(request: ApiRequest, basic: boolean): SentCredential {
  const authorization = header(request, 'authorization');
  if (authorization !== undefined) refuseRepeated(request);
  const isBearer = authorization !== undefined && /^bearer /i.test(authorization);
  const parameter = sent(request, 'access_token') ?? (isBearer ? undefined : sent(request, 'bearer_token'));
  if (isBearer || parameter !== undefined) {
    return { kind: 'bearer', header: isBearer ? authorization : undefined, parameter };
  }
  const privateToken = sent(request, 'private_token') ?? header(request, 'private-token');
  if (privateToken !== undefined) return { kind: 'private', token: privateToken };
  const jobToken = sent(request, 'job_token') ?? header(request, 'job-token');
  if (jobToken !== undefined) return { kind: 'job', token: jobToken };
  if (basic && authorization !== undefined && /^basic /i.test(authorization))
    return basicCredential(authorization);
  // Deploy tokens are for git alone: here they are a wrong credential, not a missing one.
  if (header(request, 'deploy-token') !== undefined) return { kind: 'private', token: '' };
  const secret = SESSION_COOKIE.exec(header(request, 'cookie') ?? '')?.[1];
  if (secret === undefined || secret === '') return { kind: 'none' };
  return {
    kind: 'session',
    secret,
    csrf: header(request, 'x-csrf-token') ?? sent(request, 'authenticity_token') ?? null,
  };
}

/**
 * The value of `sudo`: parameter or header. An empty one is a value too: it names nobody, and is refused as that.
 * @throws 400 for an array or a hash: to act as oneself instead would do what nobody asked for.
 */
export function findSudo(request: ApiRequest): string | null {
  const given = parameter(request, 'sudo') ?? header(request, 'sudo') ?? null;
  const value = typeof given === 'number' ? String(given) : given;
  if (value !== null && typeof value !== 'string') throw invalid({ sudo: ['is invalid'] });
  return value;
}
