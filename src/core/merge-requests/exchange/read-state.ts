import type { ImportTarget } from '#core/exchange/import-target.js';
import { integerIn, recordIn, timeIn, wordIn, type SourceRecord } from '#core/exchange/source-record.js';
import type { MergeStatus } from '../merge-request.entity.js';
import type { ImportedState } from '../exchange/imported-merge-request.js';
import { shaIn } from '../exchange/read-code.js';

const STATES = ['opened', 'closed', 'merged'] as const;

/** Statuses that a merge request can keep that nobody looks at any more. */
const SETTLED: readonly MergeStatus[] = [
  'can_be_merged',
  'cannot_be_merged',
  'cannot_be_merged_recheck',
  'unchecked',
];

/** How a merge request stands, and who has brought it there. */
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

/** Of open ones it is found out here; that they cannot be merged is kept until then, as it is no news to anybody. */
function mergeStatusOf(record: SourceRecord, state: ImportedState['state']): MergeStatus {
  const given = wordIn(record, 'merge_status', SETTLED, 'unchecked');
  if (state !== 'opened') return given;
  return given.startsWith('cannot') ? 'cannot_be_merged' : 'unchecked';
}
