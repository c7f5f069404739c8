import type { ApplicationRow } from '#core/oauth-tokens/applications/applications.queries.js';
import type { AuthorizingUser } from '../authorizing-user.queries.js';
import type { SentParameters } from '../sent-parameters.js';

/** What the checks of a request look at, once its client and its redirect URI are known to be good. */
export interface Inquiry {
  readonly parameters: SentParameters;
  readonly application: ApplicationRow;
  /** Null for visitors who are not signed in: the checks that need to know the user then pass. */
  readonly user: AuthorizingUser | null;
}
