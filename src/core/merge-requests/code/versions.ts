import { runDeferred } from '#kernel/database/statements/prepared.js';
import type { Tx } from '#kernel/database/transactions.js';
import type { MergeRequest } from '../merge-request.entity.js';

/** Adds nothing if the newest version is the same. */
const ADD = `insert into merge_request_versions (merge_request_id, base_sha, start_sha, head_sha, changes_count)
  select $1::bigint, $2::text, $3::text, $4::text, $5::text
  where not exists (select 1 from (select base_sha, head_sha from merge_request_versions
    where merge_request_id = any(array[$1::bigint]) order by merge_request_id desc, id desc limit 1) newest where newest.head_sha = $4 and newest.base_sha is not distinct from $2)`;

/** Adds a version of a merge request: its merge base and heads; the merge request must be locked. */
export async function addVersion(
  tx: Tx,
  {
    id,
    baseSha,
    startSha,
    headSha,
    changesCount,
  }: Pick<MergeRequest, 'id' | 'baseSha' | 'startSha' | 'headSha' | 'changesCount'>,
): Promise<void> {
  if (headSha === null || startSha === null) return;
  await runDeferred(tx, ADD, [id, baseSha, startSha, headSha, changesCount]);
}
