import { readCookie } from '#kernel/html/cookies.js';
import { SESSION_COOKIE } from '#kernel/html/visit.js';
import { HttpError, invalid } from '#kernel/http/errors.js';
import { looksLikeJobToken } from '#core/ci/runners/job-token-prefix.js';
import { queryParameter, type ApiRequest } from '#kernel/http/request.js';

/** Credential as sent. At most one kind is used, in the order of `auth-core.md` 2.1. */
export type SentCredential =
  | { readonly kind: 'none' }
  /** `Authorization: Bearer` or `access_token`: read by the bearer strategy. */
  | { readonly kind: 'bearer'; readonly header: string | undefined; readonly parameter: string | undefined }
  /** `PRIVATE-TOKEN` or `private_token`. */
  | { readonly kind: 'private'; readonly token: string }
  | { readonly kind: 'job'; readonly token: string }
  | { readonly kind: 'session'; readonly secret: string; readonly csrf: string | null };

/** Returns a query or body parameter as sent; null counts as missing. */
function parameter(request: ApiRequest, name: string): unknown {
  const body: unknown = request.body;
  return (
    queryParameter(request, name) ??
    (typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[name] : undefined)
  );
}

/** Returns a credential as sent; anything but a string counts as invalid, not as missing. */
function sent(request: ApiRequest, name: string): string | undefined {
  const value = parameter(request, name);
  if (value === undefined || value === null) return undefined;
  return typeof value === 'string' ? value : '';
}

const header = (request: ApiRequest, name: string): string | undefined => {
  const value = request.headers[name];
  return typeof value === 'string' ? value : undefined;
};

/**
 * Rejects repeated `Authorization` headers: Node keeps the first one and a proxy in front may keep the last,
 * so the caller is ambiguous.
 */
function refuseRepeated(request: ApiRequest): void {
  const isAuthorization = (name: string, index: number): boolean =>
    index % 2 === 0 && name.length === 13 && name.toLowerCase() === 'authorization';
  if (request.rawHeaders.filter(isAuthorization).length > 1) {
    const description = 'More than one Authorization header was sent.';
    throw new HttpError(400, { error: 'invalid_request', error_description: description });
  }
}

/**
 * Finds the credential of a request. It is looked up once, first by the token guard; with `basic`, HTTP Basic
 * is accepted.
 * @throws 400 if it has more than one `Authorization` header
 */
export function findCredential(request: ApiRequest, basic = false): SentCredential {
  const credential = (request.credential as SentCredential | undefined) ?? readCredential(request, basic);
  request.credential = credential;
  return credential;
}

/** Returns the token of HTTP Basic, under any username; a malformed one counts as invalid, not as missing. */
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
  // Deploy tokens are for git only: here they count as invalid, not as missing.
  if (header(request, 'deploy-token') !== undefined) return { kind: 'private', token: '' };
  const secret = readCookie(request, SESSION_COOKIE);
  if (secret === null) return { kind: 'none' };
  return {
    kind: 'session',
    secret,
    csrf: header(request, 'x-csrf-token') ?? sent(request, 'authenticity_token') ?? null,
  };
}

/**
 * Returns the value of `sudo` from parameter or header. An empty one is a value too: it names no user, and is
 * rejected as such.
 * @throws 400 for an array or a hash: ignoring it would act as the wrong user.
 */
export function findSudo(request: ApiRequest): string | null {
  const given = parameter(request, 'sudo') ?? header(request, 'sudo') ?? null;
  const value = typeof given === 'number' ? String(given) : given;
  if (value !== null && typeof value !== 'string') throw invalid({ sudo: ['is invalid'] });
  return value;
}
