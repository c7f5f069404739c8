import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { isOfPersonSql, personSql } from '#core/users/person.sql.js';
import { MergeRequestHeadsService } from '../code/merge-request-heads.service.js';
import type { MergeRequest } from '../merge-request.entity.js';

/** SQL condition: the user `u` has confirmed one of the email addresses `emails`. */
const hasOneOf = (emails: string): string => `(u.confirmed_at is not null and lower(u.email) = any(${emails})
  or exists (select 1 from user_emails e where e.user_id = u.id and e.confirmed_at is not null and lower(e.email) = any(${emails})))`;

/** SQL from-items: the user `they`, and all accounts `u` of the same person. */
const ACCOUNTS = `users they cross join lateral (select ${personSql('they')} as id) person join users u on ${isOfPersonSql('u', 'person.id')}`;

const IS_ONE = `select 1 from ${ACCOUNTS} where they.id = $1 and ${hasOneOf('$2::text[]')} limit 1`;

/** Revokes the approvals of users who have committed since, if their project forbids these. */
const RESET = `delete from merge_request_approvals a where a.merge_request_id = $1
  and (select s.license_plan <> 'free' from application_settings s where s.id = 1)
  and exists (select 1 from project_approval_settings s where s.project_id = $2 and s.merge_requests_disable_committers_approval)
  and ($3::text[] is null or exists (select 1 from ${ACCOUNTS} where they.id = a.user_id and ${hasOneOf('$3::text[]')}))`;

const FIND = `select source_project_id as "sourceProjectId", source_branch as "sourceBranch", project_id as "projectId",
    target_branch as "targetBranch", head_sha as "headSha", committer_emails as "committerEmails"
  from merge_requests where id = $1`;

/** Facts by which the committers of a merge request are found. */
type Committed = Pick<
  MergeRequest,
  'sourceProjectId' | 'sourceBranch' | 'projectId' | 'targetBranch' | 'headSha' | 'committerEmails'
>;

/** Finds the committers of merge requests by their confirmed email addresses. */
@Injectable()
export class MergeRequestCommittersService {
  constructor(
    private readonly database: ReadDatabase,
    private readonly heads: MergeRequestHeadsService,
  ) {}

  /**
   * Returns whether a user is a committer of an existing merge request, and of which head; true if unknown.
   */
  async has(id: number, userId: number): Promise<{ readonly has: boolean; readonly headSha: string | null }> {
    const found = await this.database.always<Committed>(FIND, [id]);
    const { headSha } = found;
    const emails = found.committerEmails ?? (await this.look(found));
    if (emails === null) return { has: true, headSha };
    return {
      has: emails.length > 0 && (await this.database.one(IS_ONE, [userId, emails])) !== null,
      headSha,
    };
  }

  /**
   * Revokes the approvals of committers, if the project forbids these; all approvals if the committers are
   * unknown.
   */
  async forget(tx: Tx, { id, projectId, committerEmails }: MergeRequest): Promise<void> {
    if (committerEmails?.length !== 0) await tx.query(RESET, [id, projectId, committerEmails]);
  }

  /** Merge requests older than the stored addresses are examined when needed. */
  private async look({ sourceProjectId, ...branches }: Committed): Promise<readonly string[] | null> {
    if (sourceProjectId === null) return null;
    return (await this.heads.read({ ...branches, sourceProjectId }))?.committerEmails ?? null;
  }
}
