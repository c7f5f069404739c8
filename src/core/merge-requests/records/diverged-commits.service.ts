import { Injectable } from '@nestjs/common';
import { gitText } from '#core/repositories/git/git.js';
import { MergeRequestHeadsService } from '../code/merge-request-heads.service.js';
import type { MergeRequestRow } from '../merge-request.row.js';

/** Counts the commits that the target branch has and the source branch lacks. */
@Injectable()
export class DivergedCommitsService {
  constructor(private readonly heads: MergeRequestHeadsService) {}

  /** Counts them; 0 if a branch does not exist, or the merge request is merged or closed. */
  async count(row: MergeRequestRow): Promise<number> {
    if (row.state !== 'opened' || row.source_project_id === null) return 0;
    const found = await this.heads.find({
      sourceProjectId: row.source_project_id,
      sourceBranch: row.source_branch,
      projectId: row.project_id,
      targetBranch: row.target_branch,
    });
    if (!found) return 0;
    const { target, env, headSha, startSha } = found;
    return Number(
      await gitText(target.path, ['rev-list', '--count', `${headSha}..${startSha}`, '--'], { env }),
    );
  }
}
