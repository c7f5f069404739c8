import type { ApplicationRow } from '#core/oauth-tokens/applications/applications.queries.js';
import { isRegisteredRedirectUri } from '#core/oauth-tokens/applications/redirect-uri.js';
import { missing, refusal, type Refusal } from '../refusal.js';
import { RequestRefused } from '../request-refused.js';
import type { SentParameters } from '../sent-parameters.js';

/** A client that may ask for codes, and the redirect URI of its request. */
interface KnownClient {
  readonly application: ApplicationRow;
  readonly redirectUri: string;
}

/**
 * Rows 1 to 4 of `auth-core.md` 1.2; `found` is the application that the request names, if there is one.
 * @throws RequestRefused for the visitor's eyes only: there is no client yet that could be trusted with it
 */
export function knownClient(parameters: SentParameters, found: ApplicationRow | null): KnownClient {
  // Several ids name nobody.
  if (parameters.isMalformed('client_id')) throw refused(refusal('invalid_request'));
  if (parameters.get('client_id') === null) throw refused(missing('client_id'));
  if (!found) throw refused(refusal('invalid_client'));
  // An application without any redirect URI has not been registered for codes.
  if (found.redirectUris.length === 0) throw refused(refusal('unauthorized_client'));
  // The very text that was registered; of a loopback address only the port may differ (RFC 9700 2.1, RFC 8252 7.3).
  const redirectUri = parameters.get('redirect_uri');
  if (redirectUri === null || !isRegisteredRedirectUri(found.redirectUris, redirectUri))
    throw refused(refusal('invalid_redirect_uri'));
  return { application: found, redirectUri };
}

const refused = (why: Refusal): RequestRefused => new RequestRefused(why, null);
