import type { Scope } from '#kernel/access/roles.js';
import type { ApplicationRow } from '#core/oauth-tokens/applications/applications.queries.js';
import type { ReturnAddress } from './authorization-response.js';
import type { SentParameters } from './sent-parameters.js';

/** A client that exists, and where it may be answered: from here on refusals go to it. */
export interface Addressee {
  readonly application: ApplicationRow;
  readonly to: ReturnAddress;
}

/** A request that has passed every check. */
export interface AuthorizationRequest extends Addressee {
  readonly parameters: SentParameters;
  readonly scopes: readonly Scope[];
  readonly codeChallenge: string | null;
  readonly nonce: string | null;
}
