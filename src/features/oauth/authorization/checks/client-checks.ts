import type { ApplicationRow } from '#core/oauth-tokens/applications/applications.queries.js';
import { isRegisteredRedirectUri } from '#core/oauth-tokens/applications/redirect-uri.js';
import { missing, refusal, type Refusal } from '../refusal.js';
import type { SentParameters } from '../sent-parameters.js';

/** What names the client of a request, and the application of that name, if there is one. */
interface ClientInquiry {
  readonly parameters: SentParameters;
  readonly application: ApplicationRow | null;
}

/** Row 1; several ids name nobody. */
export function clientGiven({ parameters }: ClientInquiry): Refusal | null {
  if (parameters.isMalformed('client_id')) return refusal('invalid_request');
  return parameters.get('client_id') === null ? missing('client_id') : null;
}

/** Row 2. */
export const clientKnown = ({ application }: ClientInquiry): Refusal | null =>
  application ? null : refusal('invalid_client');

/** Row 3: an application without any redirect URI has not been registered for codes. */
export const codeFlowAllowed = ({ application }: ClientInquiry): Refusal | null =>
  application && application.redirectUris.length > 0 ? null : refusal('unauthorized_client');

/** Row 4: the very text that was registered; of a loopback address only the port may differ (RFC 9700 2.1, RFC 8252 7.3). */
export function redirectUriRegistered({ parameters, application }: ClientInquiry): Refusal | null {
  const uri = parameters.get('redirect_uri');
  return uri !== null && application && isRegisteredRedirectUri(application.redirectUris, uri)
    ? null
    : refusal('invalid_redirect_uri');
}
