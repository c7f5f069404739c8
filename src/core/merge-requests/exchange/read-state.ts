import type { ImportTarget } from '#core/exchange/import-target.js';
import { integerIn, recordIn, timeIn, wordIn, type SourceRecord } from '#core/exchange/source-record.js';
import type { MergeStatus } from '../merge-request.entity.js';
import type { ImportedState } from '../exchange/imported-merge-request.js';
import { shaIn } from '../exchange/read-code.js';

const STATES = ['opened', 'closed', 'merged'] as const;

/** Statuses that remain once a merge request is no longer checked. */
const SETTLED: readonly MergeStatus[] = [
  'can_be_merged',
  'cannot_be_merged',
  'cannot_be_merged_recheck',
  'unchecked',
];

/** Reads the state of a merge request and the users who changed it. */
export function stateIn(record: SourceRecord, target: ImportTarget): ImportedState {
  const state = wordIn(record, 'state', STATES, 'opened');
  const metrics = recordIn(record, 'metrics') ?? {};
  const updatedAt = timeIn(record, 'updated_at');
  const mergerId = integerIn(metrics, 'merged_by_id', 1) ?? integerIn(record, 'merge_user_id', 1);
  const isMerged = state === 'merged';
  const isClosed = state === 'closed';
  return {
    state,
    merge_status: mergeStatusOf(record, state),
    merge_user: isMerged ? target.userOf(mergerId) : null,
    merged_at: isMerged ? (timeIn(metrics, 'merged_at') ?? updatedAt) : null,
    closed_by: isClosed ? target.userOf(integerIn(metrics, 'latest_closed_by_id', 1)) : null,
    closed_at: isClosed ? (timeIn(metrics, 'latest_closed_at') ?? updatedAt) : null,
    merge_commit_sha: isMerged ? shaIn(record, 'merge_commit_sha') : null,
    squash_commit_sha: isMerged ? shaIn(record, 'squash_commit_sha') : null,
  };
}

/**
 * Open merge requests are checked here; until then, a known conflict is kept so that it is not reported
 * again.
 */
function mergeStatusOf(record: SourceRecord, state: ImportedState['state']): MergeStatus {
  const given = wordIn(record, 'merge_status', SETTLED, 'unchecked');
  if (state !== 'opened') return given;
  return given.startsWith('cannot') ? 'cannot_be_merged' : 'unchecked';
}
