import { runDeferred } from '#kernel/database/statements/prepared.js';
import type { Tx } from '#kernel/database/transactions.js';
import type { IssuableKind } from '../issuable-kind.js';

/** What brought a state about, where it was not the change itself. */
export interface StateSource {
  /** The merge request that closed an issue when it was merged. */
  readonly mergeRequestId: number | null;
  /** The commit that closed an issue when it was pushed. */
  readonly commit: string | null;
}

/** The column of the tables of events that names a thing of the kind. */
export const thingColumn = ({ labels }: IssuableKind): string => labels.key;

/**
 * Keeps that a thing has another milestone, or none, in the transaction that changes it and holds its lock. One milestone in the place of
 * another is one event, as v4 has it: the new one was added.
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
    `insert into resource_milestone_events (${thingColumn(kind)}, user_id, milestone_id, action, state)
     select t.id, $2, $3, $4, t.state from ${kind.table} t where t.id = $1`,
    [id, actorId, now ?? before, now === null ? 'remove' : 'add'],
  );
}

/** Keeps that a thing has another state, in the transaction that changes it and holds its lock. */
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
    `insert into resource_state_events (${thingColumn(kind)}, user_id, state, source_commit, source_merge_request_id) values ($1, $2, $3, $4, $5)`,
    [id, actorId, state, source?.commit ?? null, source?.mergeRequestId ?? null],
  );
}
