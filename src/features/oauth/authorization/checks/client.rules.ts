import type { ApplicationRow } from '#core/oauth-tokens/applications/applications.queries.js';
import { isRegisteredRedirectUri } from '#core/oauth-tokens/applications/redirect-uri.js';
import { missing, refusal, type Refusal } from '../refusal.js';
import { RequestRefused } from '../request-refused.js';
import type { SentParameters } from '../sent-parameters.js';

/** A client that may request codes, with the redirect URI of the request. */
interface KnownClient {
  readonly application: ApplicationRow;
  readonly redirectUri: string;
}

/**
 * Checks rows 1 to 4 of `auth-core.md` 1.2; `found`: the application that the request names, if any.
 * @throws RequestRefused to be shown only to the visitor, because there is no trusted client yet
 */
export function knownClient(parameters: SentParameters, found: ApplicationRow | null): KnownClient {
  // Several ids identify no client.
  if (parameters.isMalformed('client_id')) throw refused(refusal('invalid_request'));
  if (parameters.get('client_id') === null) throw refused(missing('client_id'));
  if (!found) throw refused(refusal('invalid_client'));
  // An application without redirect URIs was not registered for codes.
  if (found.redirectUris.length === 0) throw refused(refusal('unauthorized_client'));
  // Must equal a registered URI; for a loopback address only the port may differ (RFC 9700 2.1, RFC 8252
  // 7.3).
  const redirectUri = parameters.get('redirect_uri');
  if (redirectUri === null || !isRegisteredRedirectUri(found.redirectUris, redirectUri))
    throw refused(refusal('invalid_redirect_uri'));
  return { application: found, redirectUri };
}

const refused = (why: Refusal): RequestRefused => new RequestRefused(why, null);
