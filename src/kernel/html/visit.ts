import type { Actor } from '#kernel/access/caller.js';
import type { ApiRequest } from '#kernel/http/request.js';

/** Cookie that holds the secret of the session; of visitors who are not signed in, a random one that stands for nobody. */
export const SESSION_COOKIE = '_service_session';

/** Cookie that holds the path to come back to after signing in. */
export const RETURN_COOKIE = '_service_return_to';

/** Seconds for which that path is kept. */
export const RETURN_MAX_AGE = 600;

/** Who looks at a page, and by what session: what guards tell the pages. */
export interface Visit {
  readonly user: Actor | null;
  readonly sessionId: number | null;
  /** Value of the session cookie, whether or not it is a session's. */
  readonly secret: string | null;
  /** Whether cookies are for TLS only. */
  readonly isSecure: boolean;
  /** By when they must set up the second factor that they lack. */
  readonly secondFactorDueAt?: Date | undefined;
}

const visits = new WeakMap<ApiRequest, Visit>();

/** Notes who looks at the page that the request asks for. */
export const noteVisit = (request: ApiRequest, visit: Visit): void => void visits.set(request, visit);

/** Who looks at the page; null where the request is for no page. */
export const visitOf = (request: ApiRequest): Visit | null => visits.get(request) ?? null;
