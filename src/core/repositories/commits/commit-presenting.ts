import { Injectable } from '@nestjs/common';
import type { ProjectSubject } from '#kernel/access/caller.js';
import { NotFound } from '#kernel/http/errors.js';
import { Links } from '#kernel/http/links.js';
import { findCommit } from '../git/commit-log.js';
import { presentCommitDetail, type CommitDetailRecord } from './commit-detail.record.js';
import { readCommitDetails } from './commit-details.js';
import type { FoundCommit } from './commit-reading.js';

/** Shows one commit. */
@Injectable()
export class CommitPresenting {
  constructor(private readonly links: Links) {}

  /** The record of a commit. @throws 404 for one that is gone meanwhile */
  async present(
    project: ProjectSubject,
    { repository: { path }, id }: FoundCommit,
    stats = true,
  ): Promise<CommitDetailRecord> {
    const [commit, details] = await Promise.all([
      findCommit(path, id),
      readCommitDetails(path, [id], { stats, trailers: true }),
    ]);
    if (!commit) throw NotFound('Commit');
    const webBase = this.links.project(project.fullPath);
    return presentCommitDetail(commit, { id: project.id, webBase }, details.get(id));
  }
}
