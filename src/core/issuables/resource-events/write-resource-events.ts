import { runDeferred } from '#kernel/database/statements/prepared.js';
import type { Tx } from '#kernel/database/transactions.js';
import type { IssuableKind } from '../issuable-kind.js';

/** The cause of a change of the state, if it was indirect. */
export interface StateSource {
  /** The merge request that closed an issue by being merged. */
  readonly mergeRequestId: number | null;
  /** The commit that closed an issue by being pushed. */
  readonly commit: string | null;
}

/** Returns the column with the issuable in tables of events. */
export const issuableColumn = ({ labels }: IssuableKind): string => labels.key;

/**
 * Records that the milestone of an issuable was changed or removed, in the transaction that holds its lock.
 * Replacing a milestone is one event, as in v4: the new one was added.
 */
export async function keepMilestone(
  tx: Tx,
  kind: IssuableKind,
  id: number,
  actorId: number,
  milestones: { readonly before: number | null; readonly now: number | null },
): Promise<void> {
  const { before, now } = milestones;
  if (before === now) return;
  await runDeferred(
    tx,
    `insert into resource_milestone_events (${issuableColumn(kind)}, user_id, milestone_id, action, state)
     select t.id, $2, $3, $4, t.state from ${kind.table} t where t.id = $1`,
    [id, actorId, now ?? before, now === null ? 'remove' : 'add'],
  );
}

/** Records a change of the state, in the transaction that holds the lock of the issuable. */
export async function keepState(
  tx: Tx,
  kind: IssuableKind,
  id: number,
  actorId: number | null,
  state: 'closed' | 'reopened' | 'merged',
  source?: StateSource,
): Promise<void> {
  await runDeferred(
    tx,
    `insert into resource_state_events (${issuableColumn(kind)}, user_id, state, source_commit, source_merge_request_id) values ($1, $2, $3, $4, $5)`,
    [id, actorId, state, source?.commit ?? null, source?.mergeRequestId ?? null],
  );
}
