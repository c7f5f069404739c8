import { Injectable } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { Transactions } from '#kernel/database/transactions.js';
import { IssuesService } from '#core/issues/issues.service.js';
import { PROJECT_DEFAULTS } from '#core/projects/settings/project-settings.js';
import { readNewest } from '#core/repositories/commits/or-fewer.js';
import { projectRepository } from '#core/repositories/repository-ref.js';
import { RepositoriesService } from '#core/repositories/repositories.service.js';
import { ClosingIssuesService } from '../../../closing/closing-issues.service.js';
import { MergeRequest } from '../../../merge-request.entity.js';

/** Limit of commits whose messages are read: the newest, fewer if they are large. */
const MAX_COMMITS = 100;

/** Only merges into the default branch close issues, and only if the project enables it. */
const FIND = `select m.iid, m.merge_user_id as "userId", p.full_path as "fullPath", array(select c.issue_id
    from merge_requests_closing_issues c where c.merge_request_id = m.id order by c.issue_id) as ids
  from merge_requests m join projects p on p.id = m.project_id
  where m.id = $1 and m.state = 'merged' and m.target_branch = p.default_branch and m.merge_user_id is not null
    and coalesce((p.settings ->> 'autoclose_referenced_issues')::boolean, ${String(PROJECT_DEFAULTS.autoclose_referenced_issues)})`;

interface Row {
  readonly iid: number;
  readonly userId: number;
  readonly fullPath: string;
  readonly ids: readonly number[];
}

/** Closes the issues of merged merge requests that the merging user may close. */
@Injectable()
export class CloseMergedIssuesService {
  constructor(
    private readonly database: ReadDatabase,
    private readonly transactions: Transactions,
    private readonly repositories: RepositoriesService,
    private readonly closing: ClosingIssuesService,
    private readonly issues: IssuesService,
  ) {}

  /** Closes the issues named in title, description and commits. */
  async close(id: number): Promise<void> {
    const found = await this.database.one<Row>(FIND, [id]);
    if (!found) return;
    const mergeRequest = await this.transactions.run((tx) => tx.findOneByOrFail(MergeRequest, { id }));
    const messages = await this.messages(mergeRequest);
    await this.transactions.run(async (tx) => {
      const named = await this.closing.named(tx, mergeRequest, found.fullPath, messages);
      const ids = [...new Set([...found.ids, ...named])];
      const by = { type: 'MergeRequest', id, iid: found.iid, sha: '', path: found.fullPath } as const;
      if (ids.length > 0) await this.issues.closeAll(tx, ids, found.userId, by);
    });
  }

  private async messages({ projectId, baseSha, startSha, headSha }: MergeRequest): Promise<string> {
    const repository = await this.repositories.openOrNull(projectRepository(projectId));
    const from = baseSha ?? startSha;
    if (!repository || from === null || headSha === null) return '';
    const { commits } = await readNewest(repository.path, MAX_COMMITS, [headSha, `^${from}`, '--']);
    return commits.map(({ message }) => message).join('\n');
  }
}
