import type { Tx } from '#kernel/database/transactions.js';
import { labelIdsOf } from '#core/labels/exchange/resolve-labels.js';
import type { NumberedMergeRequest } from '../exchange/merge-request-columns-import.js';

const LABELS = `insert into merge_request_labels (merge_request_id, label_id)
  select r.merge_request, r.label from json_to_recordset($1::json) as r(merge_request bigint, label bigint)`;

const ASSIGN = `insert into merge_request_assignees (merge_request_id, user_id)
  select r.merge_request, r.person from json_to_recordset($1::json) as r(merge_request bigint, person bigint)`;

const REVIEW = `insert into merge_request_reviewers (merge_request_id, user_id, state, created_at)
  select r.merge_request, r.person, r.state, coalesce(r.created, now())
  from json_to_recordset($1::json) as r(merge_request bigint, person bigint, state text, created timestamptz)`;

const APPROVE = `insert into merge_request_approvals (merge_request_id, user_id, created_at)
  select r.merge_request, r.person, coalesce(r.created, now()) from json_to_recordset($1::json) as r(merge_request bigint, person bigint, created timestamptz)`;

const VERSIONS = `insert into merge_request_versions (merge_request_id, base_sha, start_sha, head_sha, changes_count, created_at)
  select r.merge_request, r.base, r.start, r.head, r.changes, coalesce(r.created, now())
  from json_to_recordset($1::json) as r(merge_request bigint, base text, start text, head text, changes text, created timestamptz)`;

const CLOSES = `insert into merge_requests_closing_issues (merge_request_id, issue_id)
  select r.merge_request, r.issue from json_to_recordset($1::json) as r(merge_request bigint, issue bigint) order by r.issue on conflict do nothing`;

/** Pipelines are imported before merge requests. */
const PIPELINES = `update ci_pipelines p set merge_request_id = m.id
  from merge_requests m cross join lateral (values ('refs/merge-requests/' || m.iid || '/head'), ('refs/merge-requests/' || m.iid || '/merge')) r(ref)
  where m.id = any($2::bigint[]) and p.project_id = $1 and p.ref = r.ref and p.source = 'merge_request_event' and p.merge_request_id is null`;

/** Inserts the links of merge requests to other rows, one statement per kind. */
export class MergeRequestLinks {
  constructor(
    private readonly tx: Tx,
    private readonly mergeRequests: readonly NumberedMergeRequest[],
  ) {}

  labels(ids: ReadonlyMap<string, number>): Promise<void> {
    return this.write(LABELS, ({ labels }) => labelIdsOf(ids, labels).map((label) => ({ label })));
  }

  /** Users who cannot read the merge requests of the project are not assigned. */
  async people(readers: ReadonlySet<number>): Promise<void> {
    await this.write(ASSIGN, ({ assigneeIds }) =>
      assigneeIds.filter((id) => readers.has(id)).map((person) => ({ person })),
    );
    await this.write(REVIEW, ({ reviewers }) =>
      reviewers
        .filter(({ userId }) => readers.has(userId))
        .map(({ userId: person, state, createdAt: created }) => ({ person, state, created })),
    );
    await this.write(APPROVE, ({ approvals }) =>
      approvals.map(({ userId: person, createdAt: created }) => ({ person, created })),
    );
  }

  versions(): Promise<void> {
    return this.write(VERSIONS, ({ code, createdAt }) =>
      code.versions.map(({ createdAt: own, ...version }) => ({ ...version, created: own ?? createdAt })),
    );
  }

  closing(issueIds: ReadonlyMap<number, readonly number[]>): Promise<void> {
    return this.write(CLOSES, ({ id }) => (issueIds.get(id) ?? []).map((issue) => ({ issue })));
  }

  async pipelines(projectId: number): Promise<void> {
    await this.tx.query(PIPELINES, [projectId, this.mergeRequests.map(({ id }) => id)]);
  }

  private async write(
    text: string,
    linksOf: (one: NumberedMergeRequest) => readonly object[],
  ): Promise<void> {
    const rows = this.mergeRequests.flatMap((one) =>
      linksOf(one).map((link) => ({ ...link, merge_request: one.id })),
    );
    if (rows.length > 0) await this.tx.query(text, [JSON.stringify(rows)]);
  }
}
