import { Injectable } from '@nestjs/common';
import { violatedConstraint } from '#kernel/database/statements/database-errors.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { HttpError } from '#kernel/http/errors.js';
import { MergeRequestHeadsService, type MergeRequestBranches } from '../code/merge-request-heads.service.js';
import { unprocessable } from './merge-request-target.finder.js';

const OTHER = `select iid from merge_requests where source_project_id = $1 and source_branch = $2 and project_id = $3
  and target_branch = $4 and state in ('opened', 'locked')`;

/** Attempts to give a merge request its branches, which others take, leave and move in the meantime. */
export const OPENING_ATTEMPTS = 5;

/** Finds reasons against a merge request of two branches. */
@Injectable()
export class MergeRequestConflictsRules {
  constructor(
    private readonly database: ReadDatabase,
    private readonly heads: MergeRequestHeadsService,
  ) {}

  /** Asserts that no other open merge request has these branches. @throws 409 */
  async refuseOther(branches: MergeRequestBranches): Promise<void> {
    const { sourceProjectId, sourceBranch, projectId, targetBranch } = branches;
    const values = [sourceProjectId, sourceBranch, projectId, targetBranch];
    const other = await this.database.one<{ iid: number }>(OTHER, values);
    if (!other) return;
    const text = `Another open merge request already exists for this source branch: !${other.iid}`;
    throw new HttpError(409, { message: [text] });
  }

  /**
   * Returns whether `error` says that another open merge request had these branches, which has them no longer:
   * try again. @throws 409 if it still has
   */
  async areFreeAgain(error: unknown, branches: MergeRequestBranches): Promise<boolean> {
    if (violatedConstraint(error) !== 'merge_requests_open_branches') return false;
    await this.refuseOther(branches);
    return true;
  }

  /** Returns error 422 that names the missing branch. */
  async missingBranch(branches: MergeRequestBranches): Promise<HttpError> {
    const { sourceProjectId: projectId, sourceBranch } = branches;
    const alone = { sourceProjectId: projectId, sourceBranch, projectId, targetBranch: sourceBranch };
    return (await this.heads.find(alone))
      ? unprocessable(`Target branch "${branches.targetBranch}" does not exist`)
      : unprocessable(`Source branch "${sourceBranch}" does not exist`);
  }
}
