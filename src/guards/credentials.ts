import type { ApiRequest } from '#kernel/http/request.js';

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

/** A parameter as sent; anything but a text counts as a wrong credential, not as a missing one. */
function sent(request: ApiRequest, name: string): string | undefined {
  const fromQuery = request.originalUrl.includes(name) ? request.query[name] : undefined;
  const body: unknown = request.body;
  const value: unknown =
    fromQuery ??
    (typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[name] : undefined);
  if (value === undefined) return undefined;
  return typeof value === 'string' ? value : '';
}

const header = (request: ApiRequest, name: string): string | undefined => {
  const value = request.headers[name];
  return typeof value === 'string' ? value : undefined;
};

/** Finds the credentials of a request. */
export function findCredential(request: ApiRequest): SentCredential {
  const authorization = header(request, 'authorization');
  const isBearer = authorization !== undefined && /^bearer /i.test(authorization);
  const privateToken = sent(request, 'private_token') ?? header(request, 'private-token');
  if (!isBearer && privateToken !== undefined) return { kind: 'private', token: privateToken };
  const parameter = sent(request, 'access_token');
  if (isBearer || parameter !== undefined) {
    return { kind: 'bearer', header: isBearer ? authorization : undefined, parameter };
  }
  const jobToken = sent(request, 'job_token') ?? header(request, 'job-token');
  if (jobToken !== undefined) return { kind: 'job', token: jobToken };
  const secret = SESSION_COOKIE.exec(header(request, 'cookie') ?? '')?.[1];
  if (secret === undefined || secret === '') return { kind: 'none' };
  return {
    kind: 'session',
    secret,
    csrf: header(request, 'x-csrf-token') ?? sent(request, 'authenticity_token') ?? null,
  };
}

/** The value of `sudo`: header or parameter. */
export function findSudo(request: ApiRequest): string | null {
  const value = sent(request, 'sudo') ?? header(request, 'sudo');
  return value === undefined || value === '' ? null : value;
}
