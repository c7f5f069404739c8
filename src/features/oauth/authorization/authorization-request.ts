import type { Scope } from '#kernel/access/roles.js';
import type { ApplicationRow } from '#core/oauth-tokens/applications/applications.queries.js';
import type { ReturnAddress } from './authorization-response.js';
import type { SentParameters } from './sent-parameters.js';

/** An existing client with a valid redirect URI: from here on refusals are sent to it. */
export interface Addressee {
  readonly application: ApplicationRow;
  readonly to: ReturnAddress;
}

/** A request that passed all checks. */
export interface AuthorizationRequest extends Addressee {
  readonly parameters: SentParameters;
  readonly scopes: readonly Scope[];
  readonly codeChallenge: string | null;
  readonly nonce: string | null;
}
