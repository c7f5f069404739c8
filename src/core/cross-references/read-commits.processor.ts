import { Injectable } from '@nestjs/common';
import { Transactions } from '#kernel/database/transactions.js';
import { JobProcessor } from '#kernel/queue/job-processor.js';
import { Links } from '#kernel/http/links.js';
import type { NamedOrigin } from '#core/issuables/origin-text.js';
import { IssuesService } from '#core/issues/issues.service.js';
import { ClosingIssuesService } from '#core/merge-requests/closing/closing-issues.service.js';
import { textReferences } from '#core/notes/references/text-references.js';
import type { Commit } from '#core/repositories/git/commit-log.js';
import { CrossReferencesService, noteableKey, type Mention } from './cross-references.service.js';
import { PushedCommitsService, type PushedCommits } from './pushed-commits.service.js';
import { ReadCommitsJob, type PushedBranch } from './read-commits.job.js';

/** Reads the messages of the commits of a pushed branch. */
@Injectable()
export class ReadCommitsProcessor extends JobProcessor<PushedBranch> {
  readonly job = ReadCommitsJob;

  constructor(
    private readonly reading: PushedCommitsService,
    private readonly closing: ClosingIssuesService,
    private readonly issues: IssuesService,
    private readonly crossReferences: CrossReferencesService,
    private readonly transactions: Transactions,
    private readonly links: Links,
  ) {
    super();
  }

  async process(push: PushedBranch): Promise<void> {
    const found = await this.reading.read(push);
    if (!found) return;
    const { project, commits, mergeRequests } = found;
    const closes = project.closes && project.defaultBranch === push.branch;
    const mentions: Mention[] = [];
    for (const commit of commits) {
      const references = textReferences(commit.message, this.links.base);
      if (references.length === 0) continue;
      const source = sourceOf(push, found, commit);
      const isMerged = mergeRequests.some(({ merged }) => merged.has(commit.id));
      const closed = closes && !isMerged ? await this.close(push, found, commit, source) : [];
      const own = mergeRequests.filter((one) => one.own.has(commit.id));
      const except = new Set([
        ...closed.map((id) => noteableKey({ type: 'Issue', id })),
        ...own.map(({ id }) => noteableKey({ type: 'MergeRequest', id })),
      ]);
      mentions.push({ source, references, except });
    }
    await this.crossReferences.write(push.userId, project, mentions);
  }

  /** Closes the issues named in a commit that the pusher may close; returns their ids. */
  private close(
    { projectId, userId }: PushedBranch,
    { project }: PushedCommits,
    { message }: Commit,
    source: NamedOrigin,
  ): Promise<number[]> {
    return this.transactions.run(async (tx) => {
      const context = { projectId, authorId: userId };
      const ids = await this.closing.named(tx, context, project.projectPath, message);
      return ids.length === 0 ? [] : this.issues.closeAll(tx, ids, userId, source);
    });
  }
}

const sourceOf = ({ projectId }: PushedBranch, { project }: PushedCommits, { id }: Commit): NamedOrigin => ({
  type: 'Commit',
  id: projectId,
  iid: null,
  sha: id,
  path: project.projectPath,
});
