/** What scripts of other origins may do with a path. */
export interface CorsRule {
  readonly methods: readonly string[];
  /** Request headers beyond those of simple requests, in lower case; null: any. */
  readonly headers: readonly string[] | null;
  /**
   * Response headers that scripts may read beyond the simple ones; a rule with them lists its methods in
   * preflights only.
   */
  readonly exposed?: string;
  /** Whether scripts of our own origin may send cookies; those of other origins never may. */
  readonly ownCookies?: true;
}

const API: CorsRule = {
  methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
  headers: null,
  exposed: [
    'Link',
    'X-Total',
    'X-Total-Pages',
    'X-Per-Page',
    'X-Page',
    'X-Next-Page',
    'X-Prev-Page',
    'X-Gitlab-Blob-Id',
    'X-Gitlab-Commit-Id',
    'X-Gitlab-Content-Sha256',
    'X-Gitlab-Encoding',
    'X-Gitlab-File-Name',
    'X-Gitlab-File-Path',
    'X-Gitlab-Last-Commit-Id',
    'X-Gitlab-Ref',
    'X-Gitlab-Size',
    'X-Revoked-Deploy-Tokens',
    'X-Deleted-Runners',
    'X-Request-Id',
    'ETag',
  ].join(', '),
  ownCookies: true,
};

/** SDKs in browsers report errors from any page (`ops.md` 6.5). */
const ERROR_INTAKE: CorsRule = {
  methods: ['POST', 'OPTIONS'],
  headers: null,
  exposed: 'X-Sentry-Error, X-Sentry-Rate-Limits, Retry-After',
};

const AUTHORIZATION = ['authorization'];
const CLIENT_CALL: CorsRule = { methods: ['POST', 'OPTIONS'], headers: AUTHORIZATION };
const PUBLIC_DOCUMENT: CorsRule = { methods: ['GET', 'HEAD'], headers: [] };

/** `auth-core.md` 1.13; the second well-known path serves the document of the first. */
const OUTSIDE_THE_API: ReadonlyMap<string, CorsRule> = new Map([
  ['/oauth/token', CLIENT_CALL],
  ['/oauth/revoke', CLIENT_CALL],
  ['/oauth/userinfo', { methods: ['GET', 'HEAD', 'POST', 'OPTIONS'], headers: AUTHORIZATION }],
  ['/oauth/token/info', { methods: ['GET', 'HEAD', 'OPTIONS'], headers: AUTHORIZATION }],
  ['/oauth/discovery/keys', PUBLIC_DOCUMENT],
  ['/.well-known/openid-configuration', PUBLIC_DOCUMENT],
  ['/.well-known/oauth-authorization-server', PUBLIC_DOCUMENT],
  ['/.well-known/webfinger', PUBLIC_DOCUMENT],
]);

/** Returns the rule of a path; undefined for paths not meant for scripts of other origins, such as pages. */
export function corsRuleOf(path: string): CorsRule | undefined {
  if (path.startsWith('/api/')) return path.startsWith('/api/v4/error_tracking/') ? ERROR_INTAKE : API;
  // Checked first, since every request passes here and few match the other rules.
  if (path.startsWith('/errortracking/')) return ERROR_INTAKE;
  if (!path.startsWith('/oauth/') && !path.startsWith('/.well-known/')) return undefined;
  return OUTSIDE_THE_API.get(path.endsWith('/') ? path.slice(0, -1) : path);
}

/**
 * Headers allowed without a preflight (Fetch, 2.2.2); `Content-Type` needs one if its value is not a simple
 * one.
 */
const SIMPLE_HEADERS = new Set(['accept', 'accept-language', 'content-language', 'content-type']);

/** Whether a preflight is allowed: its method and every requested header. */
export function permits({ methods, headers }: CorsRule, method: string, asked: string): boolean {
  if (!methods.includes(method)) return false;
  if (headers === null) return true;
  const names = asked.split(',').map((name) => name.trim().toLowerCase());
  return names.every((name) => name === '' || SIMPLE_HEADERS.has(name) || headers.includes(name));
}
