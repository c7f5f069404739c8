import type { UserCaller } from '#kernel/access/caller.js';
import type { Tx } from '#kernel/database/transactions.js';

/** Operations on epics that issues need. */
export abstract class IssueEpicsPort {
  /** Assigns an issue, which must be locked, to an epic; null removes it from its epic. @throws 403, 404, 422 */
  abstract assign(tx: Tx, caller: UserCaller, issueId: number, epicId: number | null): Promise<void>;
}
