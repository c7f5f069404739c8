import type { Actor } from '#kernel/access/caller.js';
import type { ApiRequest } from '#kernel/http/request.js';

/**
 * Cookie that contains the secret of the session; for visitors who are not signed in, a random one that
 * identifies no user.
 */
export const SESSION_COOKIE = '_service_session';

/** Cookie that contains the path to return to after signing in. */
export const RETURN_COOKIE = '_service_return_to';

/** Seconds for which that path is kept. */
export const RETURN_MAX_AGE = 600;

/** Cookie that carries the message to the next page. */
export const FLASH_COOKIE = '_service_flash';

/** Lifetime of that cookie, in seconds. */
export const FLASH_MAX_AGE = 60;

/** Key of the message that a form was sent after the session had ended. */
export const NOT_SAVED = 'not_saved';

/** The viewer of a page and their session, passed from the guards to the pages. */
export interface Visit {
  readonly user: Actor | null;
  readonly sessionId: number | null;
  /** Value of the session cookie, whether or not it belongs to a session. */
  readonly secret: string | null;
  /** Whether cookies are for TLS only. */
  readonly isSecure: boolean;
  /** Deadline for setting up a missing second factor. */
  readonly secondFactorDueAt?: Date | undefined;
}

const visits = new WeakMap<ApiRequest, Visit>();

/** Stores who views the requested page. */
export const noteVisit = (request: ApiRequest, visit: Visit): void => void visits.set(request, visit);

/** Returns who views the page; null if the request is not for a page. */
export const visitOf = (request: ApiRequest): Visit | null => visits.get(request) ?? null;
