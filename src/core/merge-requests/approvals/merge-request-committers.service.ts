import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { isOfPersonSql, personSql } from '#core/users/person.sql.js';
import { MergeRequestHeadsService } from '../code/merge-request-heads.service.js';
import type { MergeRequest } from '../merge-request.entity.js';

/** Condition: the user `u` has confirmed one of the addresses `emails`. */
const hasOneOf = (emails: string): string => `(u.confirmed_at is not null and lower(u.email) = any(${emails})
  or exists (select 1 from user_emails e where e.user_id = u.id and e.confirmed_at is not null and lower(e.email) = any(${emails})))`;

/** From-items: the user `they`, who acts by their account, and all accounts `u` of that person. */
const ACCOUNTS = `users they cross join lateral (select ${personSql('they')} as id) person join users u on ${isOfPersonSql('u', 'person.id')}`;

const IS_ONE = `select 1 from ${ACCOUNTS} where they.id = $1 and ${hasOneOf('$2::text[]')} limit 1`;

/** Approvals of those who have committed since, where their project does not want them. */
const RESET = `delete from merge_request_approvals a where a.merge_request_id = $1
  and (select s.license_plan <> 'free' from application_settings s where s.id = 1)
  and exists (select 1 from project_approval_settings s where s.project_id = $2 and s.merge_requests_disable_committers_approval)
  and ($3::text[] is null or exists (select 1 from ${ACCOUNTS} where they.id = a.user_id and ${hasOneOf('$3::text[]')}))`;

const FIND = `select source_project_id as "sourceProjectId", source_branch as "sourceBranch", project_id as "projectId",
    target_branch as "targetBranch", head_sha as "headSha", committer_emails as "committerEmails"
  from merge_requests where id = $1`;

/** A merge request as far as its committers are looked up. */
type Committed = Pick<
  MergeRequest,
  'sourceProjectId' | 'sourceBranch' | 'projectId' | 'targetBranch' | 'headSha' | 'committerEmails'
>;

/** Who has committed what a merge request brings, by the addresses that they have confirmed. */
@Injectable()
export class MergeRequestCommittersService {
  constructor(
    private readonly database: ReadDatabase,
    private readonly heads: MergeRequestHeadsService,
  ) {}

  /** Whether somebody is one of those of a merge request that is there, and of which head; where that cannot be told everybody might be. */
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

  /** Takes their approvals back, where the project does not want them: those of everybody where it cannot be told whose they are. */
  async forget(tx: Tx, { id, projectId, committerEmails }: MergeRequest): Promise<void> {
    if (committerEmails?.length !== 0) await tx.query(RESET, [id, projectId, committerEmails]);
  }

  /** Merge requests of before the addresses were kept are looked at when it matters. */
  private async look({ sourceProjectId, ...branches }: Committed): Promise<readonly string[] | null> {
    if (sourceProjectId === null) return null;
    return (await this.heads.read({ ...branches, sourceProjectId }))?.committerEmails ?? null;
  }
}
