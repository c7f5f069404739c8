import type { Tx } from '#kernel/database/transactions.js';
import type { Votes } from '#core/notes/exchange/emoji.js';
import { userNotesCount } from '#core/notes/exchange/imported-note.js';
import { totalTimeSpent } from '#core/notes/exchange/timelogs.js';
import { taskCounts } from '#core/notes/markdown/task-counts.js';
import type { ImportedMergeRequest } from '../exchange/imported-merge-request.js';

/** An imported merge request with its local id. */
export type NumberedMergeRequest = ImportedMergeRequest & { readonly id: number };

/** The head pipeline from the source, or else the newest for this head, as in `HeadPipelinesService`. */
const HEAD_PIPELINE = `coalesce((select p.id from ci_pipelines p where p.project_id = $1 and p.iid = r.pipeline and p.sha = r.head),
  (select p.id from ci_pipelines p where p.project_id = $1 and p.sha = r.head and p.parent_id is null
      and (p.source = 'merge_request_event' and p.ref = 'refs/merge-requests/' || r.iid || '/head'
        or r.own and p.source <> 'merge_request_event' and p.ref = r.source_branch and not p.tag)
    order by p.source = 'merge_request_event' desc, p.id desc limit 1))`;

const WRITE = `insert into merge_requests (id, project_id, iid, source_project_id, source_branch, target_branch, author_id, title, description, state,
    draft, merge_status, milestone_id, discussion_locked, squash, should_remove_source_branch, force_remove_source_branch, merge_user_id,
    merged_at, closed_by_id, closed_at, base_sha, start_sha, head_sha, merge_commit_sha, squash_commit_sha, changes_count, head_pipeline_id,
    prepared_at, time_estimate, total_time_spent, user_notes_count, upvotes, downvotes, task_count, completed_task_count, created_at, updated_at)
  select r.id, $1, r.iid, case when r.own then $1::bigint end, r.source_branch, r.target_branch, r.author, r.title, r.description, r.state,
    r.draft, r.merge_status, r.milestone, r.locked, r.squash, r.should_remove, r.force_remove, r.merge_user,
    r.merged_at, r.closed_by, r.closed_at, r.base, r.start, r.head, r.merge_commit_sha, r.squash_commit_sha, r.changes, ${HEAD_PIPELINE},
    r.prepared, r.estimate, r.spent, r.notes, r.upvotes, r.downvotes, r.tasks, r.completed, coalesce(r.created, now()),
    greatest(r.updated, coalesce(r.created, now()))
  from json_to_recordset($2::json) as r(id bigint, iid bigint, own boolean, source_branch text, target_branch text, author bigint, title text,
    description text, state text, draft boolean, merge_status text, milestone bigint, locked boolean, squash boolean, should_remove boolean,
    force_remove boolean, merge_user bigint, merged_at timestamptz, closed_by bigint, closed_at timestamptz, base text, start text, head text,
    merge_commit_sha text, squash_commit_sha text, changes text, pipeline bigint, prepared timestamptz, estimate bigint, spent bigint,
    notes integer, upvotes integer, downvotes integer, tasks integer, completed integer, created timestamptz, updated timestamptz)`;

/** Inserts the rows. */
export async function writeMergeRequests(
  tx: Tx,
  projectId: number,
  mergeRequests: readonly NumberedMergeRequest[],
  known: {
    readonly votes: (id: number) => Votes;
    readonly milestones: ReadonlyMap<string, number>;
  },
): Promise<void> {
  const rows = mergeRequests.map((one) => {
    const tasks = taskCounts(one.description);
    const { state, code } = one;
    return {
      ...state,
      ...known.votes(one.id),
      id: one.id,
      iid: one.iid,
      own: one.isOwnBranch,
      source_branch: one.sourceBranch,
      target_branch: one.targetBranch,
      author: one.authorId,
      title: one.title,
      description: one.description,
      draft: one.draft,
      milestone: one.milestone && (known.milestones.get(one.milestone.title) ?? null),
      locked: one.discussionLocked,
      squash: one.squash,
      should_remove: one.shouldRemoveSourceBranch,
      force_remove: one.forceRemoveSourceBranch,
      base: code.base,
      start: code.start,
      head: code.head,
      changes: code.changes,
      pipeline: one.headPipelineIid,
      prepared: one.preparedAt,
      estimate: one.timeEstimate,
      spent: totalTimeSpent(one.timelogs),
      notes: userNotesCount(one.notes),
      tasks: tasks.count,
      completed: tasks.completed,
      created: one.createdAt,
      updated: one.updatedAt,
    };
  });
  await tx.query(WRITE, [projectId, JSON.stringify(rows)]);
}
